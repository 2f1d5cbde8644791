"""Azure regions by the name that templates use."""

from __future__ import annotations

LOCATIONS = frozenset(
    """
    australiacentral australiacentral2 australiaeast australiasoutheast austriaeast belgiumcentral brazilsouth
    brazilsoutheast canadacentral canadaeast centralindia centralus chilecentral chinaeast chinaeast2 chinaeast3
    chinanorth chinanorth2 chinanorth3 denmarkeast eastasia eastus eastus2 francecentral francesouth germanynorth
    germanywestcentral indonesiacentral israelcentral italynorth japaneast japanwest jioindiacentral jioindiawest
    koreacentral koreasouth malaysiawest mexicocentral newzealandnorth northcentralus northeurope norwayeast
    norwaywest polandcentral qatarcentral southafricanorth southafricawest southcentralus southeastasia southindia
    spaincentral swedencentral swedensouth switzerlandnorth switzerlandwest uaecentral uaenorth uksouth ukwest
    usdodcentral usdodeast usgovarizona usgovtexas usgovvirginia westcentralus westeurope westindia westus westus2
    westus3
    """.split()  # noqa: SIM905 - one word a region reads better
)


def canonical(location: str) -> str:
    """`West Europe` → `westeurope`."""
    return "".join(location.split()).lower()
