"""One case for each verdict and kind that a reply must tell; first_lines.toml says how each begins."""

from __future__ import annotations

from dataclasses import dataclass, replace

from knowledge.reading import Derived, Missing, Range, Reading
from parsing.claim import Claim, Side
from tests.bot.making import (
    AMD_8,
    AMD_72,
    COREWEAVE_72,
    CRUSOE_512,
    GB300,
    MI355X,
    NEBIUS_8,
    NEBIUS_V60,
    NVIDIA_V51,
    NVIDIA_V60,
    NVIDIA_V61,
    RUBIN,
    claim,
    group,
    line,
    made,
    rank,
    row,
)


@dataclass(frozen=True)
class Told:
    """A claim and what the rows say to it."""

    name: str
    claim: Claim
    reading: Reading


GPT = {"model": "gpt-oss-120b", "scenario": "offline", "round": "v6.1"}
LEADS = claim(
    "percent",
    "GB300 leads MI355X by about 48%",
    1.48,
    "48",
    qualifier="about",
    per_accelerator=True,
    subject=GB300,
    baseline=MI355X,
    **GPT,
)
REVERSE = (group(AMD_72, COREWEAVE_72),)
LIKE = (group(COREWEAVE_72, AMD_72), group(NEBIUS_8, AMD_8))
OPEN = replace(AMD_8, key="open", division="open", used_model="gpt-oss-120b-pruned")
CPU = row("Intel", None, 0, 500.0, processor="Intel Xeon 6980P", processors=2, system="1-node-2S-GNR_128C")
CPU_OLD = replace(CPU, key="cpu old", round="v6.0", value=400.0, published="2026-04-01")
LATENCY = {"scenario": "singlestream", "unit": "ms", "lower_is_better": True}
FAST = row("AMD", "MI355X", 8, 16.1, model="wan-2.2-t2v-a14b", **LATENCY)
SLOW = row("NVIDIA", "B300", 8, 18.0, model="wan-2.2-t2v-a14b", **LATENCY)
MANGO = row("MangoBoost", "MI355X", 16, 228488.0, system="2x8 MI355X")
CISCO = row("Cisco", "B300", 16, 220527.0, system="Cisco UCS B300x16")

CASES = (
    Told(
        "holds, percent",
        claim("percent", "leads by 15%", 1.15, "15", subject=GB300, baseline=MI355X, **GPT),
        made("holds", rows=(COREWEAVE_72, AMD_72), recomputed=1.1518, like_for_like=LIKE[:1]),
    ),
    Told(
        "holds, multiple",
        claim("multiple", "1.15x", 1.15, "1.15", subject=GB300, baseline=MI355X, **GPT),
        made("holds", rows=(COREWEAVE_72, AMD_72), recomputed=1.1518, like_for_like=LIKE[:1]),
    ),
    Told(
        "holds, share",
        claim("percent", "87% of GB300", 0.87, "87", subject=MI355X, baseline=GB300, **GPT),
        made(
            "holds",
            rows=(AMD_72, COREWEAVE_72),
            recomputed=0.8682,
            like_for_like=(group(AMD_72, COREWEAVE_72),),
        ),
    ),
    Told(
        "holds, absolute",
        claim("absolute", "5.75 million tokens/s", 5.75e6, "5.75", unit="tokens/s", **GPT),
        made("holds", rows=(CRUSOE_512,), basis="system", recomputed=5749440.0, rank=rank((1, 54), (43, 52))),
    ),
    Told(
        "holds, absolute to the digit",
        claim("absolute", "1,197,710 tokens/s", 1197710.0, "1,197,710", unit="tokens/s", **GPT),
        made("holds", rows=(COREWEAVE_72,), basis="system", recomputed=1197710.0),
    ),
    Told(
        "holds, absolute per accelerator, several rows",
        claim("absolute", "16,500 tokens/s", 16500.0, "16,500", unit="tokens/s", per_accelerator=True, **GPT),
        made("holds", rows=(NEBIUS_8, COREWEAVE_72), basis="per_accelerator", recomputed=16529.5),
    ),
    Told(
        "holds, record",
        claim("record", "the highest figure of any chip", subject=GB300, **GPT),
        made(
            "holds",
            rows=(COREWEAVE_72, AMD_72),
            rank=rank((2, 54), (1, 52), (1, 7)),
            by_scale=(line(COREWEAVE_72, AMD_72, subject=True),),
        ),
    ),
    Told(
        "holds, scaling",
        claim("scaling", "95% efficiency", 0.95, "95", subject=MI355X, **GPT),
        made(
            "holds",
            rows=(AMD_72, AMD_8),
            differences=("scale",),
            recomputed=0.9485,
            like_for_like=(group(AMD_72, AMD_8),),
        ),
    ),
    Told(
        "holds, count",
        claim("count", "72 GPUs beat 94", subject=Side(accelerator="MI355X", accelerators=72), **GPT),
        made(
            "holds",
            rows=(AMD_72, row("AMD", "MI355X", 94, 1031070.0, round="v6.0", result_id="6.0-0003")),
            differences=("scale", "round"),
            basis="system",
            recomputed=1.0086,
            caveats=("count_corrected", "derived_metric"),
        ),
    ),
    Told(
        "holds, outperforms",
        claim("outperforms", "GB300 beats MI355X", subject=GB300, baseline=MI355X, **GPT),
        made("holds", rows=(NEBIUS_8, AMD_8), like_for_like=LIKE, recomputed=1.0855),
    ),
    Told(
        "holds, latency",
        claim("percent", "12% faster", 1.12, "12", subject=MI355X, baseline=Side(accelerator="B300")),
        made(
            "holds", rows=(FAST, SLOW), basis="system", recomputed=1.118, like_for_like=(group(FAST, SLOW),)
        ),
    ),
    Told(
        "best case, multiple",
        claim("multiple", "1.15x", 1.15, "1.15", subject=GB300, baseline=MI355X, model="gpt-oss-120b"),
        made("best_case", rows=(COREWEAVE_72, AMD_72), like_for_like=LIKE, recomputed=1.1518),
    ),
    Told(
        "best case, one pair only",
        claim("percent", "11%", 1.11, "11", subject=GB300, baseline=MI355X, **GPT),
        made(
            "best_case",
            rows=(NEBIUS_8, replace(AMD_8, key="x", submitter="Dell", value=119000.0)),
            like_for_like=LIKE[1:],
        ),
    ),
    Told(
        "best case, outperforms",
        claim(
            "outperforms",
            "MI355X trails B300",
            direction="lower",
            subject=MI355X,
            baseline=Side(accelerator="B300"),
        ),
        made(
            "best_case",
            by_scale=(
                line(CISCO, replace(AMD_72, accelerators=16), subject=False),
                line(MANGO, CISCO, subject=True),
            ),
        ),
    ),
    Told(
        "software",
        claim("multiple", "1.91x", 1.91, "1.91", subject=GB300, same_hardware=True, model="deepseek-r1"),
        made(
            "software",
            rows=(NVIDIA_V60, NVIDIA_V51),
            differences=("round",),
            recomputed=1.913,
            caveats=("software",),
        ),
    ),
    Told(
        "frame, scale",
        LEADS,
        made(
            "frame",
            basis="per_accelerator",
            recomputed=1.4814,
            per_accelerator=1.4814,
            rows=(COREWEAVE_72, CRUSOE_512),
            differences=("scale",),
            like_for_like=LIKE,
            caveats=("derived_metric",),
        ),
    ),
    Told(
        "frame, round and scale and submitter",
        claim("multiple", "2.77x", 2.77, "2.77", subject=GB300, model="deepseek-r1", scenario="server"),
        made(
            "frame",
            rows=(NEBIUS_V60, NVIDIA_V51),
            differences=("scale", "round", "submitter"),
            recomputed=2.7736,
            like_for_like=(group(NVIDIA_V60, NVIDIA_V51),),
        ),
    ),
    Told(
        "frame, Preview",
        claim(
            "multiple",
            "up to 3.7x",
            3.7,
            "3.7",
            qualifier="up_to",
            subject=Side(accelerator="VR200"),
            baseline=GB300,
        ),
        made(
            "frame",
            rows=(RUBIN, NVIDIA_V61),
            differences=("availability",),
            recomputed=1.9699,
            others=(group(RUBIN, NVIDIA_V61, "availability"),),
            range=Range(n=6, min=1.7409, median=2.2, max=3.7407),
            caveats=("preview",),
        ),
    ),
    Told(
        "frame, by system total",
        claim("multiple", "4.7x", 4.7, "4.7", subject=MI355X, baseline=GB300, **GPT),
        made(
            "frame",
            basis="system",
            rows=(CRUSOE_512, COREWEAVE_72),
            differences=("scale",),
            recomputed=4.8004,
        ),
    ),
    Told(
        "frame, record by total only",
        claim(
            "record", "the highest throughput ever recorded", ever=True, subject=MI355X, model="gpt-oss-120b"
        ),
        made(
            "frame",
            rows=(CRUSOE_512,),
            differences=("scale",),
            rank=rank((1, 82), (62, 80)),
            by_scale=(line(CRUSOE_512, None, subject=True),),
        ),
    ),
    Told(
        "frame, an Open row",
        claim("absolute", "121,818 tokens/s", 121818.0, "121,818", unit="tokens/s", **GPT),
        made("frame", rows=(OPEN, AMD_8), differences=("division",), caveats=("open_division",)),
    ),
    Told(
        "contradicted, multiple",
        claim("multiple", "doubled", 2.0, "doubled", subject=GB300, baseline=MI355X, **GPT),
        made("contradicted", rows=(COREWEAVE_72, AMD_72), like_for_like=LIKE, recomputed=1.1518),
    ),
    Told(
        "contradicted, universal",
        claim("record", "wins every row", quantifier="all", subject=Side(vendor="NVIDIA"), **GPT),
        made(
            "contradicted",
            rows=(MANGO, CISCO),
            by_scale=(line(MANGO, CISCO, subject=False),),
            notes=(("universal_record", {"contested": 4, "lost": 1}),),
        ),
    ),
    Told(
        "contradicted, absolute",
        claim("absolute", "1.2 million tokens/s", 1.2e6, "1.2", unit="tokens/s", subject=MI355X, **GPT),
        made(
            "contradicted", rows=(AMD_72,), recomputed=1039900.0, notes=(("nearest", {"value": 1039900.0}),)
        ),
    ),
    Told(
        "not reproduced",
        claim("multiple", "5x", 5.0, "5", subject=GB300, baseline=MI355X, model="gpt-oss-120b"),
        made("not_reproduced", like_for_like=LIKE),
    ),
    Told(
        "not measured, cost",
        claim("cost", "60% lower cost", 0.4, "60", qualifier="over", metric="cost"),
        made(
            "not_measured",
            notes=(("not_measured", {"what": "cost"}),),
            derived=(
                Derived(
                    what="cost_at_constant_price",
                    value=1 / 1.913,
                    assumption="deepseek-r1 server, 72 accelerators, price unchanged",
                ),
            ),
        ),
    ),
    Told(
        "not measured, another benchmark",
        claim("multiple", "3.9x", 3.9, "3.9", mlperf=False),
        made("not_measured", caveats=("not_mlperf",), notes=(("not_measured", {"what": "other_benchmark"}),)),
    ),
    Told(
        "no rows, an unknown chip",
        claim("multiple", "12x", 12.0, "12", subject=Side(accelerator="QuantumX9")),
        made(
            "no_rows", missing=(Missing(what="accelerator", field="subject.accelerator", value="QuantumX9"),)
        ),
    ),
    Told(
        "no rows, training",
        claim("absolute", "2.02 minutes", 2.02, "2.02", unit="minutes", metric="time_to_train"),
        made(
            "no_rows",
            missing=(Missing(what="suite", field="suite", value="Training v6.0"),),
            caveats=("round_not_loaded",),
        ),
    ),
    Told(
        "no rows, two weeks",
        claim("multiple", "2x", 2.0, "2", round="v6.1"),
        made(
            "no_rows",
            missing=(Missing(what="embargo", field="round", value="v6.1", assumption="2026-09-30"),),
        ),
    ),
    Told(
        "depends",
        claim("multiple", "2x", 2.0, "2", subject=GB300, baseline=MI355X),
        made(
            "depends",
            missing=(
                Missing(what="model", field="model", choices=("gpt-oss-120b", "deepseek-r1")),
                Missing(what="scenario", field="scenario", choices=("offline", "server")),
            ),
        ),
    ),
    Told(
        "software, processors",
        claim("percent", "25%", 1.25, "25", subject=Side(system="Xeon"), same_hardware=True),
        made("software", rows=(CPU, CPU_OLD), differences=("round",), recomputed=1.25, caveats=("cpu_only",)),
    ),
)
