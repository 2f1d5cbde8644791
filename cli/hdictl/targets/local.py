"""`local`: Kafka and ZooKeeper as JVM processes of this machine."""

from __future__ import annotations

from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import Platform
from hdictl.targets.machine import MachineTarget


class LocalTarget(MachineTarget):
    name = "local"

    def platform(self) -> Platform:
        return LocalPlatform(self.instance, self.folder)
