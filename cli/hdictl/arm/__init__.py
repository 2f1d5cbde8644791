"""Pure: a stack as ARM templates.

`templates/arm/` holds modules, each a valid ARM template of its own. `render` calls them with the stack's values and
lays what comes out into one flat template: `expression` reads ARM's expressions, `evaluate` works out what can be known
now, and what only the deployment knows (`reference`, `resourceId`, secure parameters) stays as an expression.

`files` is what `hdictl render` writes, `resolved` what Azure would get, for a plan to compare. `lint/` judges any
template, and `sound` lets none of ours leave that it has an error against.
"""
