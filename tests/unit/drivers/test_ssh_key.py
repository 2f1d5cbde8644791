"""The public key that a stack names."""

from __future__ import annotations

import pytest

from hdictl.drivers.ssh_key import public_key
from hdictl.errors import FileRefused, UsageError
from hdictl.stack.model import Stack

KEY = "ssh-rsa AAAAB3NzaC1yc2E ada@example"


def stack(file):
    return Stack.model_validate({"stack": "s", "secrets": {"ssh": {"public_key_file": file}}})


def test_a_path_is_relative_to_the_stack_file(tmp_path):
    (tmp_path / "key.pub").write_text(f"{KEY}\n")
    assert public_key(stack("key.pub"), tmp_path) == KEY
    assert public_key(stack(str(tmp_path / "key.pub")), tmp_path / "elsewhere") == KEY


def test_home_is_expanded(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "key.pub").write_text(KEY)
    assert public_key(stack("~/key.pub"), tmp_path / "elsewhere") == KEY


def test_a_stack_without_a_key(tmp_path):
    assert public_key(Stack(stack="s"), tmp_path) is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "there is no public key"),
        (b"-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n", "does not hold one OpenSSH public key"),
        (f"{KEY}\n{KEY}\n".encode(), "does not hold one OpenSSH public key"),
        (b"ssh-rsa", "does not hold one OpenSSH public key"),
        (b"", "does not hold one OpenSSH public key"),
        (b"\xff\xfe\x00", "is not an OpenSSH public key"),
    ],
)
def test_nothing_but_a_public_key_is_taken(tmp_path, content, said):
    if content is not None:
        (tmp_path / "key.pub").write_bytes(content)
    with pytest.raises(UsageError, match=said) as raised:
        public_key(stack("key.pub"), tmp_path)
    assert raised.value.where == "secrets.ssh.public_key_file"
    assert raised.value.fix


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(FileRefused):
        public_key(stack("."), tmp_path)


def test_a_home_that_is_not_known(tmp_path):
    with pytest.raises(UsageError, match="nobody-of-this-name"):
        public_key(stack("~nobody-of-this-name/key.pub"), tmp_path)
