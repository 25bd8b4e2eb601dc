"""Caveats of a reading in sentences, the weightiest first."""

from __future__ import annotations

from collections.abc import Callable

from bot.telling import naming
from bot.telling.case import Case
from knowledge.reading import Caveat, Difference, Verdict
from knowledge.row import Row

# Caveats that the headline of a verdict says already, word for word.
IN_HEADLINE: dict[Verdict, frozenset[Caveat]] = {
    "holds": frozenset(),
    "best_case": frozenset(),
    "software": frozenset(),
    "frame": frozenset(),
    "contradicted": frozenset(),
    "not_reproduced": frozenset(),
    "not_measured": frozenset({"not_mlperf", "unverified", "power_not_measured"}),
    "no_rows": frozenset({"round_not_loaded"}),
    "depends": frozenset(),
}


def lines(case: Case) -> list[str]:
    """What differs, then every caveat, one sentence each; an atypical row goes before all."""
    reading = case.reading
    told = [differences(case)] if unsaid_differences(case) else []
    codes = [code for code in reading.caveats if code not in IN_HEADLINE[reading.verdict]]
    if told and "division" in reading.differences and "open_division" in codes:
        # How the Open row departs belongs beside the difference itself, wherever the two are compared.
        told[0] += " " + caveat("open_division", case)
        codes.remove("open_division")
    first = [caveat(code, case) for code in codes if code == "atypical_row"]
    return naming.distinct([*first, *told, *(caveat(code, case) for code in codes)])


def unsaid_differences(case: Case) -> tuple[Difference, ...]:
    """The differences that the headline does not say already: size is what a scaling or a count is about,
    the round what the verdict "newer round" is about."""
    said: set[str] = {"scale"} if case.claim.kind in ("scaling", "count") else set()
    if case.reading.verdict == "software":
        said.add("round")
    return tuple(code for code in case.reading.differences if code not in said)


def differences(case: Case) -> str:
    """How the claim's rows differ: every difference named, with both sides."""
    rows = case.reading.rows
    codes = unsaid_differences(case)
    if len(rows) == 2 and case.claim.kind != "absolute":
        items = [difference(code, rows[0], rows[1], case) for code in codes]
        return case.w("caveats.rows_differ", items=case.w.join(items))
    items = [case.w(f"difference.{code}.name") for code in codes]
    return case.w("caveats.row_differs", items=case.w.join(items))


def difference(code: Difference, first: Row, second: Row, case: Case) -> str:
    """One difference with both sides: "scale (72 and 512 accelerators)"."""
    sides = [difference_side(code, row, case) for row in (first, second)]
    if not all(sides) or sides[0] == sides[1]:
        return case.w(f"difference.{code}.name")
    return case.w(f"difference.{code}.sides", first=sides[0], second=sides[1])


def difference_side(code: Difference, row: Row, case: Case) -> str:
    """What one side of a difference is."""
    w = case.w
    match code:
        case "scale":
            return naming.count_text(row, w)
        case "round":
            return row.round
        case "availability":
            return naming.availability(row, w)
        case "division":
            return naming.division(row, w)
        case "system_type":
            return naming.harmless(row.system_type.replace(",", " + "))
        case "submitter":
            return naming.submitter(row.submitter)
        case "accelerator_variant":
            return naming.harmless(row.variant) if row.variant else w("variant.none")
        case "model_variant":
            return f"{row.accuracy_target} %" if row.accuracy_target else w("variant.none")
        case "method":
            return ""


def caveat(code: Caveat, case: Case) -> str:
    """One caveat with the facts of the rows that it is about."""
    return case.w(f"caveat.{code}", **facts(code, case))


def facts(code: Caveat, case: Case) -> dict[str, str]:
    """The figures that a caveat's sentence names."""
    w, rows = case.w, case.reading.rows
    if code == "software":
        return {"software": w.join(software(row) for row in rows) or w("caveats.software_unknown")}
    if code == "count_corrected":
        marked = [row for row in rows if "count_corrected" in row.flags] or list(rows)
        counts = [
            w(
                "caveats.count",
                submitter=naming.submitter(row.submitter),
                round=row.round,
                counted=naming.count_text(row, w),
                published=w.number(row.accelerators_published or 0),
            )
            for row in marked
            if row.accelerators_published not in (None, row.accelerators)
        ]
        return {"counts": " " + "; ".join(counts) + "." if counts else ""}
    if code in ("near_scale", "rack_slice"):
        return {"counts": w.join(naming.distinct(naming.count_text(row, w) for row in rows)) or "–"}
    if code == "id_differs":
        systems = [f"{naming.submitter(row.submitter)} {naming.system(row)}" for row in rows]
        ids = [naming.harmless(name) for name in case.claim.result_ids]
        return {"ids": w.join(ids) or "–", "systems": w.join(naming.distinct(systems)) or "–"}
    if code in ("preview", "open_division", "atypical_row", "cpu_only", "mixed_accelerators"):
        return {"rows": w.join(naming.distinct(row_name(row, case) for row in concerned(code, rows))) or "–"}
    if code == "comparability_ours":
        return {"rounds": w.join(naming.distinct(row.round for row in rows)) or "–"}
    if code == "truncated":
        value = case.reading.recomputed or 0.0
        exact = w.exact(value) if case.claim.kind == "absolute" else case.claimed(value)
        return {"value": exact, "phrase": case.phrase}
    return {}


def concerned(code: Caveat, rows: tuple[Row, ...]) -> list[Row]:
    """The rows that a caveat is about; all of them where the rows do not tell."""
    tests: dict[Caveat, Callable[[Row], bool]] = {
        "preview": lambda row: row.availability in ("preview", "rdi"),
        "open_division": lambda row: row.division == "open",
        "atypical_row": lambda row: "atypical" in row.flags,
        "cpu_only": lambda row: row.accelerators == 0,
        "mixed_accelerators": lambda row: bool(row.parts),
    }
    return [row for row in rows if tests[code](row)] or list(rows)


def row_name(row: Row, case: Case) -> str:
    """A row in a caveat: submitter, chips, round."""
    name = f"{naming.submitter(row.submitter)} {naming.counted_chip(row, case.w)} ({row.round})"
    if row.division == "open" and row.used_model:
        return case.w("caveats.as_run", row=name, model=naming.harmless(row.used_model))
    return name


def software(row: Row) -> str:
    """Framework and weight types of a row, as published."""
    parts = [text for text in (row.framework, row.weights) if text]
    return f"{row.round}: {naming.harmless(', '.join(parts), 80)}" if parts else ""
