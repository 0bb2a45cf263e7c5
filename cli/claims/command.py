"""The command `tessera claims`: its words, and what it reads."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import Json

if TYPE_CHECKING:
    from cli.claims.reading import Cluster
    from cli.claims.view import Choice
    from lab.client import Client
    from tessera.dra.rows import Filter


def claims(
    lab: Annotated[str, typer.Option(help="Name of a lab.")] = "lab",
    kubeconfig: Annotated[Path | None, typer.Option(help="Kubeconfig of any cluster, instead of a lab.")] = None,
    namespace: Annotated[str | None, typer.Option("--namespace", "-n", help="Read this namespace alone.")] = None,
    device_class: Annotated[str | None, typer.Option("--class", help="Only claims of this class.")] = None,
    node: Annotated[str | None, typer.Option(help="Only claims with a device of this node.")] = None,
    pod: Annotated[str | None, typer.Option(help="Only claims of this pod: NAME or NAMESPACE/NAME.")] = None,
    waiting: Annotated[bool, typer.Option("--waiting", help="Only what waits or was refused.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Only the counts by class and by reason.")] = False,
    every: Annotated[bool, typer.Option("--all", help="A row for each claim, however many.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="Rows at most; 0: all of them.")] = 20,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Keep the table up to date until Ctrl-C.")] = False,
    json: Json = False,
) -> None:
    """Show which pod got which device, of which class and why, and what the others wait for."""
    from cli.claims.view import Choice
    from cli.cluster import reach
    from tessera.dra.rows import Filter

    keep = Filter(None, device_class, node, pod, waiting)
    choice = Choice(summary, every, 0 if every else limit)
    what = f"cluster of {kubeconfig}" if kubeconfig else f"lab {lab}"
    with reach(what):
        cluster = _cluster(what, _client(lab, kubeconfig), namespace, keep)
        if watch:
            _watch(cluster, choice, json)
        else:
            _show(cluster, choice, json)


def _show(cluster: Cluster, choice: Choice, json: bool) -> None:
    from cli.claims.view import as_json, print_report

    rows = cluster.rows()
    if json:
        print(json_.dumps(as_json(rows, choice), indent=2))
    else:
        print_report(rows, choice, cluster.note)


def _watch(cluster: Cluster, choice: Choice, json: bool) -> None:
    from cli.claims.live import watch_lines, watch_table
    from cli.claims.view import terminal

    if terminal() and not json:
        watch_table(cluster, choice)
    else:
        watch_lines(cluster, json)


def _cluster(what: str, client: Client, namespace: str | None, keep: Filter) -> Cluster:
    from kubernetes.client import ApiException

    from cli.claims.reading import Cluster
    from tessera.errors import TesseraError

    try:
        return Cluster(what, client, namespace, keep)
    except ApiException as error:
        if error.status != 403:
            raise
        where = f"in namespace {namespace}" if namespace else "in all namespaces; name yours with --namespace"
        raise TesseraError(f"{what} does not let this user list claims and pods {where}") from error


def _client(lab: str, kubeconfig: Path | None) -> Client:
    from lab.client import Client
    from lab.home import lab_home
    from lab.record import load
    from tessera.errors import TesseraError

    if kubeconfig is None:
        home = lab_home(lab)
        load(home)
        return Client.of(home, "admin")
    try:
        return Client(kubeconfig.read_text(encoding="utf-8"))
    except OSError as error:
        raise TesseraError(f"kubeconfig {kubeconfig}: {error.strerror}") from error
