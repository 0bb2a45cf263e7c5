"""`tessera mig plan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.mig.rows import emit_rows
from cli.output import Json

if TYPE_CHECKING:
    from tessera.mig.cut import Cut, Slices
    from tessera.mig.demand import Want
    from tessera.mig.plan import Plan

GPU_HELP = "A GPU of the hardware tables, or GPU=COUNT; may be repeated."
WANT_HELP = (
    "Instances of a profile that are wanted in total: PROFILE=COUNT, or GPU/PROFILE=COUNT where products differ; "
    "may be repeated for other profiles."
)
LAYOUT_HELP = "JSON file with the GPUs and what they are cut into now, such as --json printed."
STACK_HELP = "Stack whose pools that share by MIG to plan; what they want, too, without --want."
WHOLE_HELP = "GPUs to leave whole: COUNT, or GPU=COUNT; may be repeated."


def plan(
    gpu: Annotated[list[str] | None, typer.Option(help=GPU_HELP)] = None,
    count: Annotated[int | None, typer.Option(min=1, help="GPUs of each --gpu without a count; 1 without it.")] = None,
    per_node: Annotated[int, typer.Option(min=1, help="GPUs on a node, with --gpu.")] = 8,
    layout: Annotated[Path | None, typer.Option(help=LAYOUT_HELP)] = None,
    stack: Annotated[str | None, typer.Option("--stack", "-s", help=STACK_HELP)] = None,
    want: Annotated[list[str] | None, typer.Option(help=WANT_HELP)] = None,
    keep_whole: Annotated[list[str] | None, typer.Option(help=WHOLE_HELP)] = None,
    repack: Annotated[bool, typer.Option(help="Move what is not in use where that saves a GPU.")] = False,
    beside: Annotated[bool, typer.Option(help="Fill free space of GPUs in use too; mig-parted can't.")] = False,
    parted: Annotated[bool, typer.Option(help="Print mig-parted's configuration instead of a table.")] = False,
    json: Json = False,
) -> None:
    """Plan which GPU is cut into which MIG instances: few GPUs, few changes."""
    from cli.mig.words import Words, of_stack, only_one
    from tessera.mig.plan import plan as plan_of

    words = Words()
    asked: list[Want] = []
    source = only_one(gpu=gpu, layout=layout, stack=stack)
    if parted and json:
        raise typer.BadParameter("choose one of --parted and --json")
    if stack is not None:
        fleet, asked = of_stack(stack)
    else:
        fleet = words.layout(layout) if layout else words.fleet(gpu or (), count, per_node)
    if want:
        asked = words.wants(want)
    whole = words.whole(keep_whole or (), fleet)
    words.told()
    if not asked:
        raise typer.BadParameter(f"nothing is wanted; beside {source}, add --want PROFILE=COUNT")
    _print(plan_of(fleet, asked, whole, repack, beside), parted, json)


def _print(found: Plan, parted: bool, as_json: bool) -> None:
    if parted:
        from tessera.mig.parted import parted as parted_of

        print(parted_of(found.cuts).text(), end="")
    elif as_json:
        import json

        from tessera.mig.plain import plain

        print(json.dumps(plain(found), indent=2))
    else:
        _print_table(found)


def _print_table(found: Plan) -> None:
    from tessera.mig.picture import slice_width

    widths = {
        product: slice_width(product, [one.layout for one in found.used if one.gpu.gpu.key == product])
        for product in dict.fromkeys(one.gpu.gpu.key for one in found.used)
    }
    rows = [_row(one, widths[one.gpu.gpu.key]) for one in found.used]
    emit_rows(rows, ("GPU", "product", "layout", "change", "wasted"), "no GPU has instances")
    for line in _said(found):
        print(line)
    moves = [{"move": str(move.verb), "GPU": move.gpu, "instance": str(move.placement)} for move in found.moves]
    if moves:
        print()
        emit_rows(moves, ("move", "GPU", "instance"))


def _row(one: Cut, width: int) -> dict[str, str]:
    from tessera.mig.picture import picture

    return {
        "GPU": one.gpu.name,
        "product": one.gpu.gpu.key,
        "layout": picture(one.gpu.gpu.key, one.layout, width),
        "change": ("re-cut" if one.recut else "new") if one.changed else "none",
        "wasted": _slices(one.waste),
    }


def _slices(waste: Slices) -> str:
    parts = [f"{number} {what}" for number, what in ((waste.compute, "compute"), (waste.memory, "memory")) if number]
    return ", ".join(parts) or "-"


def _said(found: Plan) -> list[str]:
    """The lines below the table."""
    taken, of, waste = found.taken, found.available, found.waste
    lines = [
        f"\nGPUs: {len(found.used)} cut, {len(found.whole)} whole",
        f"slices taken: {taken.compute} of {of.compute} compute, {taken.memory} of {of.memory} memory; "
        f"no instance can take {waste.compute} and {waste.memory} of the rest",
        f"moves: {len(found.moves)}",
    ]
    if found.recut:
        lines.append(
            f"re-cut: {', '.join(one.gpu.name for one in found.recut)}; mig-parted wipes every instance of these, "
            f"{sum(len(one.wiped) for one in found.recut)} that stay by this plan too"
        )
    if found.fewest < len(found.used):
        lines.append(f"{found.fewest} GPUs would do if instances may move: add --repack")
    if found.extra:
        extra = ", ".join(f"{number} x {name}" for name, number in found.extra.items())
        lines.append(f"stays though nobody wants it, for it is in use: {extra}")
    return lines
