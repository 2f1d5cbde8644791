"""Pure: values that say what is, what shall be, and what has to change."""
