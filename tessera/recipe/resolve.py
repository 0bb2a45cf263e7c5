"""Resolving: from a request and the layers to one recipe, or to everything that stands in its way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tessera import naming
from tessera.errors import ProblemsError
from tessera.recipe import asked, fields, honoured, pools, provenance, sharing
from tessera.recipe.components import Components, components, identities
from tessera.recipe.constraints import violations
from tessera.recipe.layers import LayerFile
from tessera.recipe.merge import GONE, Node
from tessera.recipe.paths import text
from tessera.recipe.provenance import Provenance
from tessera.recipe.request import RecipeRequest
from tessera.recipe.resolved import Component, Pool, ResolvedRecipe
from tessera.recipe.views import View, views
from tessera.recipe.writes import Write

_NOTHING = Node()


def resolve(request: RecipeRequest, layers: Sequence[LayerFile]) -> ResolvedRecipe:
    """The recipe of a stack. The order of layers, pools and keys makes no difference.

    Raises ProblemsError that names every problem at once.
    """
    ranked = sorted(layers, key=lambda layer: layer.rank)
    counts = Counter(layer.layer for layer in ranked)
    problems = asked.problems(request)
    problems += [f"layer {name!r} is there {count} times" for name, count in counts.items() if count > 1]
    _refuse(problems)
    last = asked.writes(request)
    seen = views(request, ranked, last)
    shared, conflicts = pools.agree(seen)
    known = {write.path[1] for layer in ranked for block in layer.blocks for write in block.writes if _names(write)}
    problems += fields.problems(last)
    problems += [problem for view in seen for tree in (view.shared, view.own) for problem in tree.problems]
    problems += [*_overridden(last, shared, known), *conflicts]
    made = (layer for layer in ranked if layer.layer == sharing.LAYER)
    problems += [problem for layer in made for problem in sharing.contradicted(layer, last)]
    problems += identities(
        {id(write): write for view in seen for block in view.blocks for write in block.writes}.values()
    )
    problems += honoured.unhonoured(request, seen, ranked)
    found = components(_below(shared, "components"), known, problems)
    problems += _constraints(_below(shared, "constraints"), "")
    for view in seen:
        problems += _hosts(view)
    _refuse(problems)
    recipe = _recipe(request, seen, shared, found)
    _refuse(broken.text for broken in violations(recipe) if broken.severity == "error")
    return recipe


def _refuse(problems: Iterable[str]) -> None:
    if said := list(dict.fromkeys(problems)):
        raise ProblemsError(said)


def _below(node: Node, key: str) -> Node:
    return node.below.get(key, _NOTHING)


def _names(write: Write) -> bool:
    return write.path[0] == "components" and len(write.path) > 1


def _plain(node: Node) -> Any:
    return {} if (value := node.render()) is GONE else value


def _overridden(last: Sequence[Write], shared: Node, known: Iterable[str]) -> Iterator[str]:
    for write in last:
        _, name, *rest = write.path
        off = rest == ["enabled"]
        if name not in known:
            path = "tessera:components.off" if off else f"overrides.{name}"
            yield f"{write.origin.place}: {path}: {naming.unknown('component', name, known)}"
        elif off:
            continue
        elif write.kind == "delete" and not _had(shared, write):
            said = text((name, *write.path[3:]))
            yield f"{write.origin.place}: overrides.{said}: null deletes what a layer set, and none has set this"
        elif _plain(_below(_below(shared, "components"), name)).get("enabled") is False:
            yield f"{write.origin.place}: overrides.{name}: this component is switched off in this stack"


def _had(node: Node, write: Write) -> bool:
    for key in write.path:
        node = _below(node, key)
    return any(value is not GONE for _, found in node.nodes() for _, value in found.history)


def _hosts(view: View) -> Iterator[str]:
    """What hosts of the pool lack, and what its constraints do."""
    if not view.pools:
        return
    hosts = _below(view.own.root, "hosts")
    driver = _plain(hosts).get("driver", {})
    if driver and not (isinstance(driver, dict) and isinstance(driver.get("version"), str)):
        write = next(_below(hosts, "driver").alive()).history[-1][0]
        gone = _below(_below(hosts, "driver"), "version").history
        said = f"; {gone[-1][0].origin.place} has deleted it" if gone and gone[-1][1] is GONE else ""
        yield f"{write.origin.place}: hosts.driver of {view.label} has no version that is text{said}"
    yield from _constraints(_below(view.own.root, "constraints"), f" of {view.label}")


def _constraints(root: Node, whose: str) -> Iterator[str]:
    for name, rule in _plain(root).items():
        place = next(root.below[name].alive()).history[-1][0].origin.place
        operators = [key for key in fields.OPERATORS if key in rule]
        if "subject" not in rule:
            yield f"{place}: {text(('constraints', name))}{whose} has no subject"
        if len(operators) != 1:
            found = ", ".join(operators) or "none"
            yield (
                f"{place}: {text(('constraints', name))}{whose} must have one of "
                f"{', '.join(fields.OPERATORS)}; found {found}"
            )


def _recipe(request: RecipeRequest, seen: Sequence[View], shared: Node, found: Components) -> ResolvedRecipe:
    why, deleted = _origins(shared, found)
    made = []
    for view in seen:
        own = view.own.root
        leaves = [(text(path), one) for path, one in provenance.leaves(own)]
        gone = [(text(path), one) for path, one in provenance.deleted(own)]
        hosts, constraints = _plain(_below(own, "hosts")), _severe(_plain(_below(own, "constraints")))
        for pool in view.pools:
            made.append(Pool(pool.name, pool.size, dict(pool.criteria), hosts, constraints, pool.machine))
            prefix = text(("pools", pool.name))
            why.update((f"{prefix}.{path}", one) for path, one in leaves)
            deleted.update((f"{prefix}.{path}", one) for path, one in gone)
    charts = {component.name: _chart(component) for component in found.running}
    return ResolvedRecipe(
        criteria=dict(request.criteria),
        pools=tuple(sorted(made, key=lambda pool: pool.name)),
        components=found.running,
        control_plane=_plain(_below(shared, "control_plane")),
        constraints=_severe(_plain(_below(shared, "constraints"))),
        artifacts={**_plain(_below(shared, "artifacts")), "charts": charts},
        provenance=why,
        deleted=deleted,
    )


def _severe(constraints: Mapping[str, Any]) -> dict[str, Any]:
    return {name: {"severity": "error", **rule} for name, rule in constraints.items()}


def _chart(component: Component) -> dict[str, str]:
    said = {"chart": component.chart, "version": component.version, "repository": component.repository}
    return {key: value for key, value in said.items() if value is not None}


def _origins(shared: Node, found: Components) -> tuple[dict[str, Provenance], dict[str, Provenance]]:
    """By path, where the cluster's values come from, and those that are gone; a component that is off is gone."""
    off = {("components", name) for name in found.off}
    why, deleted = {}, {text(path): one for path, one in provenance.deleted(shared) if path[:2] not in off}
    for path, one in provenance.leaves(shared):
        section, name, *rest = path
        if section != "components":
            why[text(path)] = one
        elif name in found.off and rest == ["enabled"]:
            deleted[text(path[:2])] = one
        elif name not in found.off and rest != ["enabled"]:
            why[text(path)] = one
            if rest in (["chart"], ["version"], ["repository"]):
                why[text(("artifacts", "charts", name, *rest))] = one
    return why, deleted
