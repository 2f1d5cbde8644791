"""What YARN does to a driver's arguments."""

from __future__ import annotations


def as_yarn_passes_it_on(argument: str) -> str:
    """Source: org.apache.hadoop.yarn...ContainerLaunch.expandEnvironment, over every command of a container."""
    for written, becomes in (("<LOG_DIR>", "/var/log/yarn"), ("<CPS>", ":"), ("{{", "$"), ("}}", "")):
        argument = argument.replace(written, becomes)
    return argument
