"""checkov over what hdictl renders: `make checkov`."""
