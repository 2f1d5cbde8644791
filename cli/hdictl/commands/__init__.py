"""One file a command group: parse, one call, show."""
