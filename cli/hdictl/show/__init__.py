"""Values to text, JSON, Markdown. Decides nothing."""
