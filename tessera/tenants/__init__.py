"""Tenants: what a tenant's namespace holds, and the rules that hold in all of them."""
