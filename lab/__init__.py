"""A lab: real control plane processes and simulated GPU nodes on this machine."""
