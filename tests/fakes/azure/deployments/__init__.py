"""Microsoft.Resources/deployments: a template is worked out as ARM would, and carried out."""
