"""`docker`: the same clusters in containers, from our own image."""

from __future__ import annotations

from hdictl.drivers.docker.platform import DockerPlatform
from hdictl.ports.machine import Platform
from hdictl.targets.machine import MachineTarget


class DockerTarget(MachineTarget):
    name = "docker"

    def platform(self) -> Platform:
        return DockerPlatform(self.instance, self.folder)
