"""How claims look on a terminal: counts first, then rows; equal ones together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cli.output import UNBOUNDED
from tessera.dra import overview
from tessera.dra.rows import STATES, Row

if TYPE_CHECKING:
    from rich.console import Console, Group, RenderableType
    from rich.table import Table
    from rich.text import Text

CLASSES, REASONS = 12, 6
"""Lines of the counts; the rest is told as a number."""

EXPLAINED = 8
"""So many rows at most are told with why their devices were chosen: with more, nobody asks that."""

COLUMNS = ("pod", "node", "devices", "class", "state", "why")
"""Columns where there is no width to fit."""

NARROW = {"pod": 16, "class": 12, "state": 8, "where or why": 16}
"""Columns of rows of one line, and the least that each takes where a terminal is too narrow for all of them."""

STYLES = {"refused": "red", "waiting": "yellow", "idle": "magenta", "deleting": "dim", "unused": "dim"}


@dataclass(frozen=True)
class Choice:
    """What to show. summary: counts alone; every: a row for each claim; limit: rows at most, 0 for all."""

    summary: bool = False
    every: bool = False
    limit: int = 20


def terminal() -> bool:
    """Whether somebody looks at standard output."""
    return console().is_terminal


def console() -> Console:
    """Standard output; a file or a pipe has no width to fit."""
    from rich.console import Console

    found = Console(highlight=False)
    return found if found.is_terminal else Console(width=UNBOUNDED, highlight=False)


def as_json(rows: Sequence[Row], choice: Choice) -> Any:
    """Rows for programs, each with all fields; of a summary the counts."""
    if not choice.summary:
        return [row.as_json() for row in rows]
    classes = [asdict(total) for total in overview.by_class(rows)]
    reasons = [asdict(total) for total in overview.by_reason(rows)]
    for total in (*classes, *reasons):
        total["class"] = total.pop("device_class")
    return {"claims": claims(rows), "states": overview.states(rows), "classes": classes, "reasons": reasons}


def print_report(rows: Sequence[Row], choice: Choice, note: str = "") -> None:
    """Print the table once."""
    if not rows:
        print("\n".join(filter(None, ("no claims", note))))
        return
    out = console()
    if out.is_terminal:
        out.print(report(rows, choice, note))
        return
    with out.capture() as told:
        out.print(report(rows, choice, note))
    print("\n".join(line.rstrip() for line in told.get().splitlines()))


def report(rows: Sequence[Row], choice: Choice, note: str = "", height: int | None = None) -> Group:
    """The counts and the rows. height: lines that there are; what does not fit is told as a number."""
    from rich.console import Group
    from rich.text import Text

    head: list[RenderableType] = [_headline(rows), *([Text(note, style="yellow")] if note else [])]
    head += [Text(), _classes(rows), *_reasons(rows)]
    if choice.summary:
        return Group(*head)
    groups = overview.single(rows) if choice.every else overview.grouped(rows)
    limit = choice.limit or len(groups)
    if height is not None:
        limit = max(1, min(limit, height - _lines(head) - 4))
    return Group(*head, Text(), _table(groups[:limit]), *_rest(groups[limit:]), *_chosen(groups))


def claims(rows: Sequence[Row]) -> int:
    """How many claims there are in rows."""
    return len({(row.namespace, row.claim) for row in rows if row.claim})


def _headline(rows: Sequence[Row]) -> RenderableType:
    from rich.text import Text

    counts = ", ".join(f"{count} {state}" for state, count in reversed(overview.states(rows).items()))
    held = sum(row.held for row in rows)
    return Text(f"{claims(rows)} claims, {held} devices: {counts or 'nothing'}", style="bold")


def _classes(rows: Sequence[Row]) -> Table:
    totals = overview.by_class(rows)
    shown = [state for state in reversed(STATES) if any(total.states.get(state) for total in totals)]
    table = _empty("class", "claims", "devices", *shown, numbers=1)
    first, rest = _first(totals, CLASSES)
    for total in first:
        counts = (total.claims, total.devices, *(total.states.get(state, 0) for state in shown))
        table.add_row(total.device_class or "(not known)", *(str(count or "-") for count in counts))
    if rest:
        table.add_row(f"{len(rest)} more classes")
    return table


def _reasons(rows: Sequence[Row]) -> list[RenderableType]:
    from rich.text import Text

    totals = overview.by_reason(rows)
    if not totals:
        return []
    table = _empty("count", "class", "in", "why", whole=("count", "class", "in"))
    first, rest = _first(totals, REASONS)
    for total in first:
        style = STYLES[total.state]
        where = total.namespaces[0] if len(total.namespaces) == 1 else f"{len(total.namespaces)} namespaces"
        table.add_row(Text(str(total.count), style), total.device_class or "-", where, total.why)
    if rest:
        count = sum(total.count for total in rest)
        table.add_row(str(count), "", "", f"{len(rest)} more reasons; --waiting shows the rows")
    return [Text(), table]


def _first[Total](totals: Sequence[Total], most: int) -> tuple[Sequence[Total], Sequence[Total]]:
    """Those that have a line each, and the rest, for which one line stands: never for one alone."""
    return (totals, ()) if len(totals) <= most + 1 else (totals[:most], totals[most:])


def _table(groups: Sequence[overview.Group]) -> Table:
    out = console()
    return _dense(groups, out.width) if out.is_terminal else _wide(groups)


def _wide(groups: Sequence[overview.Group]) -> Table:
    """A column for each thing; why only where something waits, or is not used."""
    table = _empty(*COLUMNS)
    for group in groups:
        row = group.rows[0]
        why = "" if row.devices else row.why
        cells = (group.pod, group.node, group.devices, row.device_class, _state(row), why)
        table.add_row(*(cell or "-" for cell in cells))
    return table


def _dense(groups: Sequence[overview.Group], width: int) -> Table:
    """One line a row: of what has devices where, of the rest why."""
    from rich.table import Table

    rows = [(group.pod, group.rows[0].device_class or "-", _state(group.rows[0]), _place(group)) for group in groups]
    natural = [max(len(name), *(len(row[place]) for row in rows)) for place, name in enumerate(NARROW)]
    table = Table(box=None, pad_edge=False, header_style="bold")
    widths = _widths(natural, width - 2 * (len(NARROW) - 1))
    for name, most in zip(NARROW, widths, strict=True):
        table.add_column(name, width=most, no_wrap=True, overflow="ellipsis")
    for group, row in zip(groups, rows, strict=True):
        table.add_row(_cropped(group, widths[0]), *row[1:])
    return table


def _widths(natural: Sequence[int], width: int) -> list[int]:
    """As wide as each column would be; where that is too wide together, the widest gives way, as far as it may."""
    found, least = list(natural), list(NARROW.values())
    while sum(found) > width:
        place = max(range(len(found)), key=lambda at: (found[at] > least[at], found[at]))
        if found[place] <= least[place]:
            break
        found[place] -= 1
    return found


def _cropped(group: overview.Group, width: int) -> str:
    """A group's name; of one that is too long the middle goes, for its ends and its count tell it from others."""
    name, times, count = group.pod.rpartition(" x ") if group.count > 1 else (group.pod, "", "")
    most = width - len(times + count)
    if len(name) > most:
        end = most // 3
        name = f"{name[: most - end - 1]}…{name[len(name) - end :]}"
    return name + times + count


def _place(group: overview.Group) -> str:
    return f"{group.node or '-'}: {group.devices}" if group.devices else group.rows[0].why or "-"


def _chosen(groups: Sequence[overview.Group]) -> list[RenderableType]:
    """Why the devices of a few rows were chosen, once for equal ones: the class's conditions on the device itself."""
    from rich.text import Text

    rows = [row for group in groups for row in group.rows if row.devices and row.why]
    if not rows or len(groups) > EXPLAINED:
        return []
    table = _empty("class", "why these devices", whole=("class",))
    for device_class, why in dict.fromkeys((row.device_class, row.why) for row in rows):
        table.add_row(device_class or "-", why)
    return [Text(), table]


def _state(row: Row) -> Text:
    from rich.text import Text

    return Text(row.state, STYLES.get(row.state, ""))


def _rest(groups: Sequence[overview.Group]) -> list[RenderableType]:
    from rich.text import Text

    if not groups:
        return []
    count = sum(group.count for group in groups)
    rows = "1 more row" if len(groups) == 1 else f"{len(groups)} more rows"
    return [Text(f"{rows} for {count} claims; --limit 0 shows them, --all each claim", style="dim")]


def _empty(*columns: str, numbers: int | None = None, whole: Sequence[str] = ()) -> Table:
    """A table without rows. numbers: the first column of numbers; whole: columns that are never folded."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(columns):
        right = numbers is not None and place >= numbers
        table.add_column(name, overflow="fold", no_wrap=name in whole, justify="right" if right else "left")
    return table


def _lines(parts: Sequence[RenderableType]) -> int:
    from rich.console import Group

    out = console()
    return len(out.render_lines(Group(*parts)))
