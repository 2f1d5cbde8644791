"""A living Kafka: its topics, its records, its settings."""
