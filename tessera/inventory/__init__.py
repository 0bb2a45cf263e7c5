"""Inventory: a stack's hosts as Ansible knows them."""
