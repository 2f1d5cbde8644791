"""Azure through Microsoft's own SDK: implements `hdictl.ports.cloud.Cloud`.

`connect` is the entrance. `clients` makes the SDK's clients, each when it is first needed (importing one takes up to
three seconds); `retry` and `operation` decide how long is waited for what. Each subject has a file: `groups`,
`resources`, `network`, `deployments`, `dry_run`, `clusters`, `preflight`, `monitor`, `scripts`. `errors` is the one
place where the SDK's exceptions become ours; nothing of azure-core leaves this folder.

Bodies go in and out as the service's own JSON, not as the SDK's models: models drop what their API version does not
know, and a plan has to see it.
"""
