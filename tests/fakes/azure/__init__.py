"""A fake Azure: one HTTPS server that the unmodified SDK clients, and `hdictl` in a process of its own, talk to.

    with FakeCloud() as cloud:
        subprocess.run(["hdictl", "apply"], env={**os.environ, **cloud.environ()})
        assert cloud.duplicates() == []

What a client has to be told (`cloud.environ()` holds it all):

    HDICTL_AZURE_ENDPOINT        https://localhost:PORT, the `base_url` of every management client; their
                                 `credential_scopes` is [endpoint + "/.default"]
    HDICTL_AZURE_VAULT_ENDPOINT  https://localhost:PORT/vaults/{vault}; SecretClient takes it as `vault_url` with
                                 `verify_challenge_resource=False`, because no vault's own domain leads here
    HDICTL_AZURE_STORAGE_ENDPOINT
                                 https://localhost:PORT/storage/{account}; a data lake's two hosts are one here
    REQUESTS_CA_BUNDLE           the certificate; azure-core and requests both read it
    IDENTITY_ENDPOINT, _HEADER   the managed identity of App Service: DefaultAzureCredential signs in by it, over TLS
    AZURE_TOKEN_CREDENTIALS      ManagedIdentityCredential: nobody's own `az login` is ever used
    HDICTL_AZURE_POLL_SECONDS    0.05

Time. Every state of a cluster, and every other thing that takes a while, lasts `cloud.pace` seconds. The world moves on
when somebody asks, and catches up with the clock: nothing waits for a client that was killed. `pace=0` moves one
state a request. `cloud.freeze()` and `cloud.thaw()` stop it and let it go.

Where things are
    cloud.py           what a test holds: start, stop, faults, and questions about what happened
    server.py          HTTPS, and connections that break
    service.py         faults, sign-in, permissions, the contract, the route, pages, the request log: in this order
    world.py           the state: groups, resources, work in progress, the ledger of creations
    kinds.py           what a type of resource is: what it refuses, what the service adds, how long it takes
    deployments/       templates worked out and carried out in the order of `dependsOn`, what-if, validate
    hdinsight/         clusters and everything under them, and the region's locations
    network.py, generic.py, groups.py, vault.py, identity.py
    data_lake.py       what an account's file systems answer; lake_files.py is what they hold
    ambari.py          what stands behind a cluster's own address; registered with `cloud.serve`
    operator.py        what is there before a stack comes: vaults, keys, routes
    contract/          Microsoft's specification, held against every request

Secrets. A value that came with a secure parameter or a secret property is kept as its SHA-256 alone. `cloud.dump()` is
everything the fake knows, as text, so that a test can look for a password in it.
"""

from tests.fakes.azure.cloud import FakeCloud

__all__ = ["FakeCloud"]
