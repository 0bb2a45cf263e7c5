"""Recording: the key tree of a chart from its files. Nothing of the chart is run or rendered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tessera.charts import images, keys, manifests, schema_keys
from tessera.charts.archive import Files
from tessera.charts.defaults import leaves, with_schema, with_subchart
from tessera.charts.keys import Path
from tessera.charts.parts import Chart, chart, document, every
from tessera.charts.schema_keys import SchemaKeys
from tessera.charts.templates.nodes import Node, parse
from tessera.charts.templates.reads import Reads, helpers, reads
from tessera.charts.tree import Refuses, Source, Tree, Value
from tessera.errors import TesseraError


def record(files: Files, source: Source, version: str | None = None, others: Iterable[Files] = ()) -> Tree:
    """The key tree of a chart.

    version: what its package is called, where Chart.yaml holds a placeholder; others: charts that it depends on and
    does not hold itself. Raises TesseraError where Chart.yaml or values.yaml can't be read.
    """
    whole = chart(files, tuple(others))
    try:
        library: dict[str, list[Node]] = {}
        for one in every(whole):
            library |= helpers(node for text in one.texts("templates/").values() for node in parse(text))
        tree = _tree(whole, source, library)
    except RecursionError:
        raise TesseraError(f"{whole.about['name']}: its templates are nested too deeply to be read") from None
    return replace(tree, version=version or tree.version)


def _tree(one: Chart, source: Source, library: Mapping[str, list[Node]]) -> Tree:
    own = document(one.files, "values.yaml")
    schema = _schema(one.files)
    values = dict(leaves(own, ()))
    inner = {about.key: found for about, found in one.inside}
    found, idle, counts = reads({**one.texts("templates/"), **_more(one, own)}, library)
    parts = {key: _tree(part, source, library) for key, part in inner.items() if part}
    values = with_schema(values, schema, set(inner))
    for key, tree in parts.items():
        values = with_subchart(values, key, tree)
    return _assembled(one, source, values, schema, found, idle, parts, counts)


def _more(of: Chart, values: Mapping[str, Any]) -> dict[str, str]:
    """Templates that stand elsewhere: in defaults, and in files that templates load."""
    found = {f"values.yaml: {keys.join(path)}": text for path, text in _texts(values, ()) if "{{" in text}
    if any(".Files" in text for text in of.texts("templates/").values()):
        others = of.texts("").items()
        found |= {
            name: text for name, text in others if "{{" in text and not name.startswith(("templates/", "charts/"))
        }
    return found


def _texts(said: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(said, str):
        yield path, said
    elif isinstance(said, Mapping):
        for key, inner in said.items():
            yield from _texts(inner, (*path, str(key)))
    elif isinstance(said, list):
        for inner in said:
            yield from _texts(inner, path)


def _assembled(
    of: Chart,
    source: Source,
    values: dict[Path, Value],
    schema: SchemaKeys,
    found: Reads,
    idle: Reads,
    parts: Mapping[str, Tree],
    counts: Mapping[str, int],
) -> Tree:
    maps = {path[:depth] for path in values for depth in range(1, len(path))}
    looked = {path for path in found.whole | found.asked | found.guarded if path}
    used = found.whole | found.asked
    removed = {path for path in found.guards if path not in values and path not in maps and not _below(path, used)}
    new = {path for path in looked - removed if path not in values and path not in maps}
    helped = {
        path
        for path in idle.whole | idle.asked
        if path and path not in values and path not in maps and path[0] not in parts
    }
    helped = {path for path in helped - removed if not _is_read(path, found)}
    if of.about.get("type") == "library":
        helped = set()  # its helpers are for others to call
    switches = {("enabled",)} | {keys.split(path) for one, _ in of.inside for path in one.conditions}
    unread = set(_unread(values, found, parts, {one.key for one, _ in of.inside})) - switches
    hidden = frozenset(new) | frozenset(path for path in _up(parts, "template_only") if path not in values)
    about, texts = of.about, of.texts("templates/")
    return Tree(
        chart=str(about["name"]),
        version=str(about["version"]),
        source=source,
        app_version=str(about["appVersion"]) if about.get("appVersion") else None,
        kube_version=str(about["kubeVersion"]) if about.get("kubeVersion") else None,
        values=values,
        subcharts=tuple(one for one, _ in of.inside),
        open=frozenset(_open(values, schema)) | _up(parts, "open"),
        passthrough=frozenset(path for path in found.copied if path in maps or path in hidden)
        | _up(parts, "passthrough"),
        template_only=hidden,
        removed=frozenset(removed) | _up(parts, "removed"),
        unused_helpers_read=frozenset(helped) | frozenset(_up(parts, "unused_helpers_read") - looked - values.keys()),
        never_read=frozenset(unread)
        | frozenset(path for path in _up(parts, "never_read") if not _is_read(path, found)),
        strict=frozenset(schema.strict) | _up(parts, "strict"),
        refuses=tuple(_refuses(found, counts)) + _refuses_of(parts),
        images=tuple(images.images(values, hidden)),
        hooks=tuple(sorted({*manifests.hooks(texts), *(one for part in parts.values() for one in part.hooks)})),
        crds=tuple(
            sorted({*manifests.crds({**of.texts("crds/"), **texts}), *(c for p in parts.values() for c in p.crds)})
        ),
    )


def _unread(
    values: Mapping[Path, Value], found: Reads, parts: Mapping[str, Tree], subcharts: set[str]
) -> Iterator[Path]:
    """Values of values.yaml that no template reads; those for a chart inside that this one does not know."""
    for path, value in values.items():
        if value.origin == "own" and path[0] != "global" and not _is_read(path, found):
            inner = parts.get(path[0])
            if path[0] not in subcharts or (inner and not _knows(inner, path[1:])):
                yield path


def _knows(tree: Tree, path: Path) -> bool:
    """Whether a path, one above it or one below it means something to a chart."""
    above = any(path[:depth] in tree.known for depth in range(1, len(path) + 1))
    return above or path in tree.inner or path[:1] == ("global",)


def _schema(files: Files) -> SchemaKeys:
    if "values.schema.json" not in files:
        return SchemaKeys()
    try:
        return schema_keys.read(json.loads(files["values.schema.json"]))
    except ValueError as error:
        raise TesseraError(f"values.schema.json: is not JSON: {error}") from error


def _up(parts: Mapping[str, Tree], name: str) -> frozenset[Path]:
    """Paths of the charts inside, as the outer chart has them."""
    return frozenset((key, *path) for key, part in parts.items() for path in getattr(part, name))


def _open(values: Mapping[Path, Value], schema: SchemaKeys) -> Iterator[Path]:
    yield from (path for path, value in values.items() if "map" in value.kind.split("|"))
    yield from schema.open - {()}


def _below(path: Path, others: Iterable[Path]) -> bool:
    """Whether a path, or one below it, is among others."""
    return any(other[: len(path)] == path for other in others)


def _is_read(path: Path, found: Reads) -> bool:
    if (
        path in found.asked
        or path in found.guarded
        or any(path[:depth] in found.whole for depth in range(len(path) + 1))
    ):
        return True
    return _below(path, found.whole) or _below(path, found.asked)


def _refuses(found: Reads, counts: Mapping[str, int]) -> Iterator[Refuses]:
    before, seen = 0, set()
    for file, count in counts.items():
        for kind, paths in found.refusals[before:count]:
            one = Refuses(kind, file, tuple(keys.join(path) for path in paths if path))
            if one not in seen:
                seen.add(one)
                yield one
        before = count


def _refuses_of(parts: Mapping[str, Tree]) -> tuple[Refuses, ...]:
    return tuple(
        Refuses(one.kind, f"charts/{key}/{one.file}", tuple(keys.join((key, *keys.split(path))) for path in one.reads))
        for key, part in sorted(parts.items())
        for one in part.refuses
    )
