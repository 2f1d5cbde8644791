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

# Regions in which HDInsight puts a cluster into a zone (Microsoft Learn: reliability-hdinsight).
ZONAL_CLUSTERS = frozenset(
    """
    australiaeast brazilsouth canadacentral centralus eastus eastus2 francecentral germanywestcentral japaneast
    koreacentral northeurope qatarcentral southcentralus southeastasia uksouth usgovvirginia westeurope westus2
    """.split()  # noqa: SIM905
)

# Regions without availability zones: zone-redundant storage cannot be had there. A region that is new and on no list
# is taken to have zones, as all do that opened since 2021 (Microsoft Learn: regions-list).
WITHOUT_ZONES = frozenset(
    """
    australiacentral australiacentral2 australiasoutheast brazilsoutheast canadaeast chinaeast chinaeast2 chinanorth
    chinanorth2 francesouth germanynorth jioindiacentral jioindiawest koreasouth northcentralus norwaywest
    southafricawest southindia swedensouth switzerlandwest uaecentral ukwest usdodcentral usdodeast usgovtexas
    westcentralus westindia westus
    """.split()  # noqa: SIM905
)


def canonical(location: str) -> str:
    """`West Europe` → `westeurope`."""
    return "".join(location.split()).lower()
