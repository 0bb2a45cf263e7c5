"""The program: stack file -> recipe -> cluster -> catalogue -> workloads."""

import pulumi
from pulumi_kubernetes.core.v1 import Namespace

from components.catalogue import Catalogue, CatalogueArgs
from components.lab import LabCluster, LabClusterArgs
from components.labels import labelled, stack_labels
from components.recipe import agreed_recipe
from components.stack_file import read_stack
from components.workload import ClaimingDeployment, ClaimingDeploymentArgs
from tessera.cost.plain import plain
from tessera.cost.stack import stack_cost
from tessera.dra.classes import service_class
from tessera.recipe.lock import locked_digest

stack = read_stack(pulumi.Config())
recipe = agreed_recipe(stack)
labels = stack_labels(pulumi.get_stack(), recipe)
cluster = LabCluster(
    pulumi.get_stack(),
    LabClusterArgs(
        recipe.criteria["kubernetes"],
        [{"name": pool.name, "board": pool.machine, "size": pool.size} for pool in recipe.pools],
    ),
)

catalogue = Catalogue(
    "catalogue", CatalogueArgs([service_class(name) for name in stack.classes], cluster.child_options, labels)
)

namespaces = {
    name: Namespace(name, metadata=labelled({"name": name}, labels), opts=cluster.child_options(cluster))
    for name in sorted({workload.namespace for workload in stack.workloads})
}
for workload in stack.workloads:
    ClaimingDeployment(
        f"{workload.namespace}-{workload.name}",
        ClaimingDeploymentArgs(
            workload.service(),
            namespaces[workload.namespace],
            catalogue.classes[workload.device_class],
            cluster.child_options,
            labels,
        ),
    )

pulumi.export("lab", cluster.lab.name)
pulumi.export("server", cluster.lab.server)
pulumi.export("kubeconfig", cluster.lab.kubeconfig)
pulumi.export("recipe", locked_digest(recipe))
pulumi.export("cost", plain(stack_cost(stack, pulumi.Config("aws").get("region"))))
