"""A small vocabulary written by hand: the names that the tests of the reader speak of."""

from __future__ import annotations

from parsing.vocabulary import Name, NameKind, Vocabulary

ROUNDS = tuple(f"v{r}" for r in ("0.5", "0.7", "1.0", "1.1", "2.0", "2.1", "3.0", "3.1", "4.0", "4.1", "5.0", "5.1", "6.0", "6.1"))

ACCELERATORS = {
    "NVIDIA": "B200 B300 GB200 GB300 GH200 H100 H200 L4 L40S T4 A100 GB10 V100".split(),
    "AMD": "MI300X MI325X MI350P MI350X MI355X".split(),
    "Intel": ["Arc Pro B60", "Arc Pro B70", "Gaudi 2", "Gaudi 3"],
    "Google": ["TPU v4", "TPU v5e", "TPU v5p", "TPU v6e"],
}
SPELLINGS: dict[str, list[str]] = {
    "VR200": ["Vera Rubin"],
    "RTX PRO 6000 Blackwell": ["RTX PRO 6000", "RTX PRO 6000 Blackwell", "RTX PRO 6000 Blackwell Server Edition"],
    "Jetson AGX Orin": ["Jetson AGX Orin"],
    "A100": ["A100-40c", "Ampere A100"],
    "H200": ["H200 Tensor Core", "H200 SXM"],
    "H100": ["H100 SXM", "Hopper H100"],
    "TPU v6e": ["Trillium"],
    "B200": ["Blackwell B200"],
    "MI355X": ["Instinct MI355X"],
    "MI325X": ["Instinct MI325X"],
    "Radeon 8060S": ["Radeon 8060S"],
}
MAKERS = {"Radeon 8060S": "AMD", "MI355X": "AMD", "MI325X": "AMD", "TPU v6e": "Google"}
FAMILIES = {"NVIDIA": ["Blackwell", "Blackwell Ultra", "Hopper", "Rubin Ultra", "Rubin"], "AMD": ["Instinct"]}
SYSTEMS = [
    ("GB300 NVL72", "GB300", 72), ("GB200 NVL72", "GB200", 72), ("Vera Rubin NVL72", "VR200", 72), ("GB200 NVL4", "GB200", 4),
    ("H200 NVL8", "H200", 8), ("HGX B200", "B200", None), ("HGX B300", "B300", None), ("HGX H200", "H200", None),
    ("DGX B200", "B200", 8), ("DGX H200", "H200", 8), ("DGX H100", "H100", 8), ("HGX H100", "H100", None),
    ("ND GB300 v6", "GB300", None), ("ND GB200 v6", "GB200", None), ("BM.GPU.MI300X.8", "MI300X", 8),
    ("A3 Ultra", "H200", 8), ("XE9680", None, None), ("XE2420", None, None), ("Selene", "A100", None),
]  # fmt: skip
PROCESSORS = {
    "Xeon 6": ["Xeon 6"], "5th Gen Xeon": ["5th Gen Xeon", "Xeon der 5. Generation"], "Xeon": ["Xeon"], "EPYC": ["EPYC", "AMD EPYC"],
}  # fmt: skip
MODELS = {
    "llama2-70b": ["Llama 2 70B", "Llama2-70B", "Llama 2"], "llama3.1-405b": ["Llama 3.1 405B", "405B Llama"],
    "llama3.1-8b": ["Llama 3.1 8B"], "deepseek-r1": ["DeepSeek-R1"], "gpt-oss-120b": ["GPT-OSS-120B", "GPT-OSS"],
    "mixtral-8x7b": ["Mixtral 8x7B"], "stable-diffusion-xl": ["Stable Diffusion XL", "Stable Diffusion", "SDXL"], "gpt-j": ["GPT-J"],
    "bert-large": ["BERT"], "resnet50": ["ResNet-50", "ResNet"], "retinanet": ["RetinaNet"], "rgat": ["R-GAT", "RGAT"],
    "dlrm-v2": ["DLRM-v2", "DLRM"], "dlrm-v3": ["DLRM-v3"], "whisper": ["Whisper"], "3d-unet": ["3D-UNet"], "rnn-t": ["RNN-T"],
    "wan-2.2-t2v-a14b": ["Wan 2.2"], "qwen3-vl-235b-a22b": ["Qwen3-VL"], "qwen3.6-27b": ["Qwen3.6-27B"],
}  # fmt: skip
TRAINED = {
    "llama2-70b-lora": ["Llama 2 70B LoRA"], "gpt3": ["GPT-3"], "flux1": ["FLUX.1"], "gpt-oss-20b": ["GPT-OSS 20B"],
}  # fmt: skip
SUBMITTERS = {
    "CoreWeave": [], "Crusoe": [], "Nebius": [], "Lambda": [], "Oracle": ["OCI", "Oracle Cloud Infrastructure"], "Dell": ["Dell Technologies"],
    "HPE": [], "Lenovo": [], "Supermicro": [], "Cisco": [], "MangoBoost": [], "Azure": ["Microsoft Azure"], "RedHat": ["Red Hat"], "Vultr": [],
    "ScitiX": [], "GigaComputing": ["GIGABYTE"], "Google": ["Google Cloud"], "JuniperNetworks": ["Juniper"], "Fujitsu": [], "VMware": [],
    "Broadcom": [], "IBM": [], "Meta": [], "Atlas_Inference": ["Atlas Inference"], "DigitalOcean": [], "AWS Bedrock": [],
}  # fmt: skip
VENDORS = ("NVIDIA", "AMD", "Intel", "Google", "Graphcore")
BENCHMARKS = {"InferenceX": ["InferenceX"], "SPEC": ["SPEC CPU2017"]}


def _named(kind: NameKind, canonical: str, texts: list[str], vendor: str | None = None) -> list[Name]:
    return [Name(text, kind, canonical, vendor) for text in texts]


def _names() -> list[Name]:
    names: list[Name] = []
    for vendor, chips in ACCELERATORS.items():
        for chip in chips:
            names += _named("accelerator", chip, [chip], vendor)
    for chip, texts in SPELLINGS.items():
        names += _named("accelerator", chip, texts, MAKERS.get(chip, "NVIDIA"))
    for vendor, families in FAMILIES.items():
        for family in families:
            names += _named("family", family, [family], vendor)
    for system, accelerator, size in SYSTEMS:
        names.append(Name(system, "system", system, None, accelerator, size))
    for processor, texts in PROCESSORS.items():
        names += _named("processor", processor, texts)
    for model, texts in MODELS.items():
        names += _named("model", model, texts)
    for model, texts in TRAINED.items():
        names += [Name(text, "model", model, training=True) for text in texts]
    for submitter, texts in SUBMITTERS.items():
        names += _named("submitter", submitter, [submitter, *texts])
    for vendor in VENDORS:
        names += _named("vendor", vendor, [vendor])
    for vendor in ("NVIDIA", "AMD", "Intel"):
        names += _named("submitter", vendor, [vendor])
    for benchmark, texts in BENCHMARKS.items():
        names += _named("benchmark", benchmark, texts)
    return names


SMALL = Vocabulary(tuple(_names()), ROUNDS, ROUNDS, "small")
