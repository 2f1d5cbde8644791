"""Streaming jobs on a Spark of this machine."""
