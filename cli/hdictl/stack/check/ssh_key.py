"""U: the public key that opens the nodes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.openssh import RSA, PublicKey, parsed
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.shown import shown

_FEWEST_BITS = 2048
_SSH = "Microsoft Learn: hdinsight-hadoop-linux-use-ssh-unix"


def _key_file(context: Context) -> str | None:
    """The file of the public key, where one is needed."""
    ssh = context.stack.secrets.ssh
    file = ssh.public_key_file if ssh else None
    is_needed = context.target == "azure" and context.stack.clusters and context.makes_clusters
    return file if is_needed and file and is_known(file) else None


def _read(context: Context, file: str) -> PublicKey | str:
    """The key, or what is wrong with the file."""
    try:
        text = context.read_text(context.folder / Path(file).expanduser())
    except FileNotFoundError:
        return "does not exist"
    except UnicodeDecodeError:
        return "is not a text file"
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: the home of `~somebody` is not known
        return f"cannot be read: {getattr(error, 'strerror', None) or error}"
    return parsed(text)


@rule(
    "U010",
    ERROR,
    "The SSH public key can be read",
    why="It goes onto every node when the cluster is made; without it, or with a private key in its place, there is no "
    "way in.",
    fix="Make a pair with `ssh-keygen -t rsa -b 4096`, and name the .pub file; paths are relative to the stack file.",
    source=_SSH,
    varies=True,
)
def public_key(context: Context) -> Iterator[Problem]:
    file = _key_file(context)
    fault = _read(context, file) if file else None
    if isinstance(fault, str):
        yield Problem(
            "secrets.ssh",
            ("secrets", "ssh", "public_key_file"),
            f"`{shown(file)}` {fault}",
            "name the .pub file of a pair, such as ~/.ssh/id_rsa.pub (`ssh-keygen -t rsa -b 4096` makes one)",
        )


@rule(
    "U011",
    WARNING,
    f"The SSH public key is RSA with at least {_FEWEST_BITS} bits",
    why="HDInsight's documents speak of RSA keys alone; whether it takes Ed25519 and others is not known.",
    fix="Make one with `ssh-keygen -t rsa -b 4096`; or try, and waive this rule.",
    source=_SSH,
    varies=True,
)
def key_type(context: Context) -> Iterator[Problem]:
    file = _key_file(context)
    key = _read(context, file) if file else None
    if not isinstance(key, PublicKey):
        return
    if key.bits is None:
        what = f"is of type {shown(key.type)}, and HDInsight's documents vouch for {RSA} alone"
    elif key.bits < _FEWEST_BITS:
        what = f"is an RSA key of {key.bits} bits, fewer than {_FEWEST_BITS}"
    else:
        return
    yield Problem(
        "secrets.ssh",
        ("secrets", "ssh", "public_key_file"),
        f"the key in `{shown(file)}` {what}",
        "make one with `ssh-keygen -t rsa -b 4096`, or waive U011",
    )
