"""The platform in a stack: namespaces, CRDs, and a Helm release for each component behind those that it needs."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.helm import v3 as helm

from components.catalogue import ChildOptions
from components.labels import labelled
from components.platform.resources import ChartVersion, CustomObjects
from tessera.platform import secrets
from tessera.platform.crds import Crd
from tessera.platform.ready import ReadyPlatform, ReadyRelease

HISTORY = 5
"""Revisions of a release that its namespace keeps."""

_POD_SECURITY = "pod-security.kubernetes.io"


@dataclass(frozen=True)
class PlatformArgs:
    """platform: what to install; child_options: how objects reach the cluster; labels: of each object.

    kubeconfig: of the cluster, for what must go before a release does. secrets: by the name that values refer to it;
    pull_secret: a .dockerconfigjson that each namespace gets.
    """

    platform: ReadyPlatform
    child_options: ChildOptions
    labels: Mapping[str, str]
    kubeconfig: pulumi.Input[str]
    secrets: Mapping[str, pulumi.Input[str]] = field(default_factory=dict)
    pull_secret: pulumi.Input[str] | None = None


class Platform(pulumi.ComponentResource):
    """Makes the namespaces with their Pod Security level, and a Component for each release.

    components: by name; what waits for one of them depends on its `ready`.
    """

    def __init__(self, name: str, args: PlatformArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:platform:Platform", name, None, opts)
        child = args.child_options(self)
        namespaces = {
            namespace: _namespace(namespace, level, args, child)
            for namespace, level in args.platform.namespaces.items()
        }
        self.components: dict[str, Component] = {}
        for release in args.platform.releases:
            first = [*namespaces.get(release.plan.namespace, ())]
            needs = [one for before in release.plan.needs for one in self.components[before].ready]
            self.components[release.name] = Component(
                release.name, ComponentArgs(release, args, first, needs, self), pulumi.ResourceOptions(parent=self)
            )
        self.register_outputs({"components": list(self.components), "namespaces": list(namespaces)})


@dataclass(frozen=True)
class ComponentArgs:
    """release: what to install; platform: what holds for all; namespace: what its namespace has first.

    needs: what must be ready before. whole: parent of the CRDs, which may change from one component to another.
    """

    release: ReadyRelease
    platform: PlatformArgs
    namespace: Sequence[pulumi.Resource]
    needs: Sequence[pulumi.Resource]
    whole: pulumi.Resource


class Component(pulumi.ComponentResource):
    """Makes a ChartVersion, which refuses another major version, the chart's CRDs, a Helm release, and CustomObjects,
    which removes the objects of its CRDs while its controllers still run.
    """

    def __init__(self, name: str, args: ComponentArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:platform:Component", name, None, opts)
        child, of_crds = (args.platform.child_options(parent) for parent in (self, args.whole))
        plan = args.release.plan
        version = ChartVersion(
            name, {"component": name, "version": plan.version, "allowMajor": plan.allow_major}, _ours(child, args.needs)
        )
        crds = [_crd(crd, args.platform.labels, _after(of_crds, [version])) for crd in args.release.crds]
        first = [version, *crds, *args.namespace, *args.needs]
        self.release = _release(args.release, args.platform.secrets, _after(child, first))
        self.ready: list[pulumi.Resource] = [self.release]
        if args.release.kinds:
            inputs = {
                "component": name,
                "kinds": list(args.release.kinds),
                "kubeconfig": args.platform.kubeconfig,
                "timeoutSeconds": plan.timeout_s,
            }
            self.ready.append(CustomObjects(name, inputs, _ours(child, [self.release])))
        self.register_outputs({"chart": plan.chart, "version": plan.version, "namespace": plan.namespace})


def _namespace(name: str, level: str, args: PlatformArgs, child: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    labels = {f"{_POD_SECURITY}/{mode}": level for mode in ("enforce", "audit", "warn")}
    made = core.Namespace(name, metadata=labelled({"name": name, "labels": labels}, args.labels), opts=child)
    if args.pull_secret is None:
        return [made]
    encoded = pulumi.Output.secret(args.pull_secret).apply(lambda text: base64.b64encode(text.encode()).decode())
    secret = core.Secret(
        f"{name}-{secrets.PULL_SECRET}",
        metadata=labelled({"name": secrets.PULL_SECRET, "namespace": name}, args.labels),
        type="kubernetes.io/dockerconfigjson",
        data={".dockerconfigjson": encoded},
        opts=_after(child, [made]),
    )
    return [made, secret]


def _crd(crd: Crd, labels: Mapping[str, str], opts: pulumi.ResourceOptions) -> CustomResource:
    """Applied by the server. A program of the chart may have written it as well, so ours wins."""
    said = labelled(crd.manifest["metadata"], labels)
    metadata = {
        **{key: said[key] for key in ("name", "labels")},
        "annotations": {**said.get("annotations", {}), "pulumi.com/patchForce": "true"},
    }
    return CustomResource(
        crd.name,
        api_version="apiextensions.k8s.io/v1",
        kind="CustomResourceDefinition",
        metadata=metadata,
        spec=crd.manifest["spec"],
        opts=opts,
    )


def _release(one: ReadyRelease, known: Mapping[str, pulumi.Input[str]], opts: pulumi.ResourceOptions) -> helm.Release:
    def secret(name: str) -> pulumi.Output[str]:
        return pulumi.Output.secret(known[name])

    values: dict[str, Any] = secrets.filled(one.values, secret)
    return helm.Release(
        one.name,
        name=one.name,
        chart=one.archive,
        version=one.plan.version,
        namespace=one.plan.namespace,
        values=values,
        skip_crds=True,
        atomic=True,  # a release that fails leaves nothing, and an upgrade that fails leaves what was there
        cleanup_on_fail=True,
        wait_for_jobs=True,
        reset_values=True,  # else Helm keeps the values of before where none are given
        max_history=HISTORY,
        timeout=one.plan.timeout_s,
        opts=opts,
    )


def _after(opts: pulumi.ResourceOptions, first: Sequence[pulumi.Resource]) -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=list(first)))


def _ours(opts: pulumi.ResourceOptions, first: Sequence[pulumi.Resource]) -> pulumi.ResourceOptions:
    """For a resource of our own provider: without that of Kubernetes."""
    return pulumi.ResourceOptions(parent=opts.parent, deleted_with=opts.deleted_with, depends_on=list(first))
