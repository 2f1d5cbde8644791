"""Pure: the stack file, its model, how it is loaded and what is checked."""
