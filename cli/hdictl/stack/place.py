"""Where a stack lives: subscription, secrets, networks and storage."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hdictl.stack.part import Part


class Azure(Part):
    """Where on Azure the stack lives."""

    subscription: str = Field(description="Subscription id (a GUID); usually ${AZURE_SUBSCRIPTION_ID}.")
    resource_group: str = Field(description="Resource group of everything the stack makes.")
    location: str = Field(description="Default region of clusters and network, such as westeurope.")
    tags: dict[str, str] = Field(
        default={}, description="Tags on every resource; `hdictl-stack` is added, and is hdictl's own."
    )


class Secret(Part):
    """Where a secret comes from; never its value."""

    keyvault: str | None = Field(default=None, description="Key Vault that holds it, by its short name.")
    name: str | None = Field(default=None, description="Its name in the Key Vault.")
    resource_group: str | None = Field(default=None, description="Resource group of the vault; default: the stack's.")
    env: str | None = Field(default=None, description="Name of the environment variable that holds it.")


class SshSecret(Part):
    """How one logs in to the nodes."""

    user: str = Field(default="sshuser", description="SSH user on every node.")
    public_key_file: str | None = Field(
        default=None, description="OpenSSH public key (RSA), relative to the stack file; preferred."
    )
    private_key_file: str | None = Field(
        default=None,
        description="Private key for `access: ssh`, relative to the stack file; default: what ssh itself finds.",
    )
    password: Secret | None = Field(default=None, description="A password instead of a key.")


class Secrets(Part):
    """Where secrets come from."""

    gateway: Secret | None = Field(default=None, description="Password of the cluster gateway (Ambari, Livy).")
    ssh: SshSecret | None = Field(default=None, description="SSH login of the nodes.")


class Region(Part):
    """The one VNet of a region."""

    address_space: str = Field(description="Address space of the VNet, such as 10.20.0.0/16.")
    subnets: dict[str, str] = Field(default={}, description="Subnet name → address range; one a cluster.")
    dns: list[str] = Field(
        default=[], description="DNS servers of one's own, by address; fixed before clusters are made."
    )
    admins: list[str] = Field(
        default=[],
        description="Addresses and ranges that may reach gateways (443) and SSH (22, 23) of the clusters.",
    )
    outbound: Literal["nat", "firewall"] = Field(
        default="nat",
        description="nat: a NAT gateway is made; firewall: routes of one's own lead out, and are there before.",
    )


class Storage(Part):
    """The storage account of a region's clusters (ADLS Gen2); a file system a cluster."""

    account: str | None = Field(
        default=None, description="Name, unique in the world; default: derived from stack, region and subscription."
    )
    replication: Literal["LRS", "ZRS", "GRS", "GZRS"] = Field(
        default="ZRS", description="Redundancy of the account; ZRS and GZRS need a region with availability zones."
    )
