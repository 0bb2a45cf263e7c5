"""The domain: what a GPU cluster should be, in plain values; knows neither Pulumi nor Ansible."""
