"""Kafka in containers, through the engine's command line."""
