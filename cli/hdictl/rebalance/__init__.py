"""Pure: where replicas go."""
