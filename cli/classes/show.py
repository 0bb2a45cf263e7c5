"""`tessera classes show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import Json, emit_object

if TYPE_CHECKING:
    from tessera.dra.classes import ServiceClass


def show(
    name: Annotated[str, typer.Argument(help="Name of the class.")],
    count: Annotated[
        int | None, typer.Option(help="Devices of the example; without it, the class's own count.")
    ] = None,
    namespace: Annotated[str, typer.Option("--namespace", "-n", help="Namespace of the example.")] = "default",
    json: Json = False,
    yaml: Annotated[bool, typer.Option("--yaml", help="Print the example alone, for kubectl apply -f -.")] = False,
) -> None:
    """Show one class: requirement, selectors, quota keys, price, and a pod that claims its devices."""
    from cli.classes.plain import plain
    from tessera.dra.classes import service_class
    from tessera.dra.examples import example

    if json and yaml:
        raise typer.BadParameter("give one of --json and --yaml")
    level = service_class(name)
    manifests = example(level, namespace, count)
    if yaml:
        print(_yaml(manifests), end="")
    elif json:
        emit_object({**plain(level), "example": manifests}, as_json=True)
    else:
        emit_object(_said(level), as_json=False)
        _print_selectors(plain(level)["selectors"])
        print(f"\nexample\n{_yaml(manifests)}", end="")


def _said(level: ServiceClass) -> dict[str, Any]:
    from cli.classes.plain import plain

    found, queueable = plain(level), level.queueable
    return {
        "class": level.name,
        "summary": level.summary,
        "requires": found["requires"],
        "count": "all GPUs of a board" if level.count == "board" else level.count,
        **{f"with {name}": said for name, said in found["with"].items()},
        "price": level.price,
        "price from": level.price.because,
        "priority": level.priority,
        "queueable": f"{'yes' if queueable.answer else 'no'}: {queueable.because}",
        "quota": ", ".join(found["quota"]),
        "because": level.because,
    }


def _print_selectors(selectors: dict[str, str]) -> None:
    for name, expression in selectors.items():
        print(f"\nselector of DeviceClass {name}\n{expression}")


def _yaml(manifests: tuple[dict[str, Any], ...]) -> str:
    import yaml

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the signature is the base class's
            return True  # equal labels are written out twice

    return yaml.dump_all(manifests, Dumper=Plain, sort_keys=False, explicit_start=True)
