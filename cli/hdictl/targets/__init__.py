"""Targets: each one a choice of drivers."""
