"""The program: stack file -> recipe -> charts -> cluster -> catalogue -> platform -> tenants -> workloads."""

import pulumi
from pulumi_kubernetes.core.v1 import Namespace

from components.catalogue import Catalogue, CatalogueArgs
from components.lab import LabCluster, LabClusterArgs
from components.labels import labelled, stack_labels
from components.platform.platform import Platform, PlatformArgs
from components.platform.prepared import prepared
from components.recipe import agreed_recipe
from components.runtime_fence import RuntimeFence, RuntimeFenceArgs
from components.stack_file import read_stack
from components.tenants import Tenant, TenantArgs, TenantPolicies, TenantPoliciesArgs
from components.workload import Workload, WorkloadArgs
from tessera.cost.plain import plain
from tessera.cost.stack import stack_cost
from tessera.dra.classes import service_class
from tessera.platform.of_stack import settings
from tessera.recipe.lock import locked_digest
from tessera.spec.claiming import claiming

stack = read_stack(pulumi.Config())
recipe = agreed_recipe(stack)
labels = stack_labels(pulumi.get_stack())
site = stack.site
pull_secret = site.pull_secret.reveal() if site.pull_secret else None
platform = prepared(recipe.components, settings(stack), site.ca_bundle, pull_secret, site.proxy, site.no_proxy)
asked = {pool.name: pool for pool in stack.pools}
cluster = LabCluster(
    pulumi.get_stack(),
    LabClusterArgs(
        recipe.criteria["kubernetes"],
        [
            {"name": pool.name, "board": pool.machine, "size": pool.size, **asked[pool.name].way.row()}
            for pool in recipe.pools
        ],
        recipe.control_plane.get("scheduler", {}),
    ),
)

catalogue = Catalogue(
    "catalogue", CatalogueArgs([service_class(name) for name in stack.classes], cluster.child_options, labels)
)

Platform(
    "platform",
    PlatformArgs(
        platform,
        cluster.child_options,
        labels,
        cluster.lab.kubeconfig,
        {name: pulumi.Output.secret(secret.reveal()) for name, secret in stack.secrets.items()},
        pulumi.Output.secret(pull_secret) if pull_secret else None,
    ),
)
RuntimeFence("runtime", RuntimeFenceArgs(platform.runtime_namespaces, cluster.child_options, labels))

plain_tenants = [tenant.plain() for tenant in stack.tenants]
policies = TenantPolicies("tenants", TenantPoliciesArgs(plain_tenants, cluster.child_options, labels))
tenants = {
    tenant.name: Tenant(
        tenant.name,
        TenantArgs(tenant, stack.classes, recipe.criteria["kubernetes"], policies, cluster.child_options, labels),
    )
    for tenant in plain_tenants
}
others = {workload.namespace for workload in stack.workloads} - tenants.keys()
namespaces = {
    **{name: tenant.objects for name, tenant in tenants.items()},
    **{
        name: [Namespace(name, metadata=labelled({"name": name}, labels), opts=cluster.child_options(cluster))]
        for name in sorted(others)
    },
}
for workload in stack.workloads:
    wanted = claiming(workload, stack.pools, stack.classes)
    Workload(
        f"{wanted.namespace}-{wanted.name}",
        WorkloadArgs(
            wanted,
            [
                *namespaces[wanted.namespace],
                *(catalogue.classes[name] for name in wanted.claim.classes),
                catalogue.priorities[wanted.priority],
            ],
            cluster.child_options,
            labels,
        ),
    )

pulumi.export("lab", cluster.lab.name)
pulumi.export("server", cluster.lab.server)
pulumi.export("kubeconfig", cluster.lab.kubeconfig)
pulumi.export("recipe", locked_digest(recipe))
cost = plain(stack_cost(stack, pulumi.Config("aws").get("region")))
if cost["per_hour"]["known"]:
    pulumi.export("cost", cost)
