"""A small vocabulary written by hand: the names that the tests of the reader speak of."""

from __future__ import annotations

from collections.abc import Iterator

from parsing.vocabulary import Name, NameKind, Vocabulary

# one line a name: the canonical name, after "=" other spellings, after "@" the maker or the chip inside
ROUNDS = tuple(
    f"v{r}"
    for r in (
        "0.5",
        "0.7",
        "1.0",
        "1.1",
        "2.0",
        "2.1",
        "3.0",
        "3.1",
        "4.0",
        "4.1",
        "5.0",
        "5.1",
        "6.0",
        "6.1",
    )
)
ACCELERATORS = """
B200 = Blackwell B200 @ NVIDIA
B300 @ NVIDIA
GB200 @ NVIDIA
GB300 @ NVIDIA
GH200 @ NVIDIA
H100 = H100 SXM, Hopper H100 @ NVIDIA
H200 = H200 SXM, H200 Tensor Core @ NVIDIA
L4 @ NVIDIA
L40S @ NVIDIA
T4 @ NVIDIA
A100 = A100-40c, Ampere A100 @ NVIDIA
V100 @ NVIDIA
GB10 @ NVIDIA
VR200 = Vera Rubin @ NVIDIA
RTX PRO 6000 Blackwell = RTX PRO 6000, RTX PRO 6000 Blackwell Server Edition @ NVIDIA
Jetson AGX Orin @ NVIDIA
MI300X @ AMD
MI325X = Instinct MI325X @ AMD
MI350P @ AMD
MI350X @ AMD
MI355X = Instinct MI355X @ AMD
Radeon 8060S @ AMD
Arc Pro B60 @ Intel
Arc Pro B70 @ Intel
Gaudi 2 @ Intel
Gaudi 3 @ Intel
TPU v4 @ Google
TPU v5e @ Google
TPU v5p @ Google
TPU v6e = Trillium @ Google
"""
FAMILIES = """
Blackwell @ NVIDIA
Blackwell Ultra @ NVIDIA
Hopper @ NVIDIA
Rubin @ NVIDIA
Rubin Ultra @ NVIDIA
Instinct @ AMD
"""
SYSTEMS = """
GB300 NVL72 @ GB300 72
GB200 NVL72 @ GB200 72
Vera Rubin NVL72 @ VR200 72
GB200 NVL4 @ GB200 4
H200 NVL8 @ H200 8
HGX B200 @ B200
HGX B300 @ B300
HGX H100 @ H100
HGX H200 @ H200
DGX B200 @ B200 8
DGX H100 @ H100 8
DGX H200 @ H200 8
ND GB200 v6 @ GB200
ND GB300 v6 @ GB300
BM.GPU.MI300X.8 @ MI300X 8
A3 Ultra @ H200 8
Selene @ A100
XE9680
XE2420
"""
PROCESSORS = """
Xeon
Xeon 6
5th Gen Xeon = Xeon der 5. Generation
EPYC = AMD EPYC
"""
MODELS = """
llama2-70b = Llama 2 70B, Llama 2
llama3.1-405b = Llama 3.1 405B, 405B Llama
llama3.1-8b = Llama 3.1 8B
deepseek-r1 = DeepSeek-R1
gpt-oss-120b = GPT-OSS-120B, GPT-OSS
mixtral-8x7b = Mixtral 8x7B
stable-diffusion-xl = Stable Diffusion XL, Stable Diffusion, SDXL
gpt-j = GPT-J
bert-large = BERT
resnet50 = ResNet-50, ResNet
retinanet = RetinaNet
rgat = R-GAT
dlrm-v2 = DLRM-v2, DLRM
dlrm-v3 = DLRM-v3
whisper = Whisper
3d-unet = 3D-UNet
rnn-t = RNN-T
wan-2.2-t2v-a14b = Wan 2.2
qwen3-vl-235b-a22b = Qwen3-VL
qwen3.6-27b = Qwen3.6-27B
"""
TRAINED = """
llama2-70b-lora = Llama 2 70B LoRA
gpt3 = GPT-3
flux1 = FLUX.1
gpt-oss-20b = GPT-OSS 20B
"""
SUBMITTERS = """
AMD
ASUSTeK = ASUS
Atlas_Inference = Atlas Inference
AWS Bedrock
Azure = Microsoft Azure
Broadcom
Cisco
CoreWeave
Crusoe
Dell = Dell Technologies
DigitalOcean
Fujitsu
GigaComputing = GIGABYTE
Google = Google Cloud
HPE
IBM
Intel
JuniperNetworks = Juniper
Lambda
Lenovo
Dell_MangoBoost
MangoBoost
Meta
Nebius
NVIDIA
Oracle = OCI, Oracle Cloud Infrastructure
RedHat = Red Hat
ScitiX
Supermicro
VMware
Vultr
"""
VENDORS = """
NVIDIA
AMD
Intel
Google
Graphcore
"""
BENCHMARKS = """
InferenceX
SPEC CPU2017
"""


def _read(table: str, kind: NameKind, *, training: bool = False) -> Iterator[Name]:
    for line in table.strip().splitlines():
        spelled, _, inside = (part.strip() for part in line.partition("@"))
        canonical, _, others = (part.strip() for part in spelled.partition("="))
        chip, _, size = inside.partition(" ")
        for text in (canonical, *(o.strip() for o in others.split(",") if o.strip())):
            if kind == "system":
                yield Name(text, kind, canonical, None, chip or None, int(size) if size else None)
            else:
                yield Name(text, kind, canonical, inside or None, training=training)


SMALL = Vocabulary(
    (
        *_read(ACCELERATORS, "accelerator"),
        *_read(FAMILIES, "family"),
        *_read(SYSTEMS, "system"),
        *_read(PROCESSORS, "processor"),
        *_read(MODELS, "model"),
        *_read(TRAINED, "model", training=True),
        *_read(SUBMITTERS, "submitter"),
        *_read(VENDORS, "vendor"),
        *_read(BENCHMARKS, "benchmark"),
    ),
    ROUNDS,
    ROUNDS,
    "small",
)
