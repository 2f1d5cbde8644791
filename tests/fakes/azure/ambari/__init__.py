"""A fake Ambari, as HDInsight's gateway shows it.

    world.py    hosts, components, configurations and requests of one cluster; can be bound to real brokers
    api.py      its REST interface, with the quirks of the real one
    plane.py    what a `FakeCloud` needs to serve the Ambari of each of its clusters
    brokers.py  real brokers of the local platform in the place of Ambari's
    server.py   one Ambari alone, behind HTTPS

Quirks, with where they come from:
  - JSON comes as text/plain, and `href`s carry the head node's internal address (HDInsight's documentation).
  - Paths mind the case, host names do not (the same).
  - A configuration is replaced as a whole by each write (the same); passwords are shown as `SECRET:type:version:name`,
    and such a reference written back means the password (Ambari's SecretReference).
  - A write without X-Requested-By is refused (Ambari's CsrfFilter).
  - A state change without an operation level counts as one of the whole cluster, and passes over whatever is in
    maintenance, with 200 and an empty body (Ambari's MaintenanceStateHelper).
  - The password of the gateway is known by its SHA-256 alone.
"""

from tests.fakes.azure.ambari.plane import AmbariPlane, adopt, attach
from tests.fakes.azure.ambari.server import AmbariServer
from tests.fakes.azure.ambari.world import AmbariWorld

__all__ = ["AmbariPlane", "AmbariServer", "AmbariWorld", "adopt", "attach"]
