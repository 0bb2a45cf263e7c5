"""The platform: what runs on the cluster, planned as Helm releases that wait for one another."""
