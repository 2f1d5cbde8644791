"""Public keys in OpenSSH's form, made of what such a key is made of; nobody has their private halves."""

from __future__ import annotations

import base64


def openssh(type: str, *parts: bytes, said: str | None = None) -> str:
    """A line of a .pub file; `said` is a type on the line that is not the key's."""
    body = b"".join(len(part).to_bytes(4, "big") + part for part in (type.encode(), *parts))
    return f"{said or type} {base64.b64encode(body).decode()} ops@example.com\n"


def _modulus(bits: int) -> bytes:
    return (2 ** (bits - 1) + 1).to_bytes(bits // 8 + 1, "big")


_EXPONENT = b"\x01\x00\x01"
RSA = openssh("ssh-rsa", _EXPONENT, _modulus(4096))
PUBLIC_KEYS = {
    "id.pub": RSA,
    "short.pub": openssh("ssh-rsa", _EXPONENT, _modulus(1024)),
    "ed25519.pub": openssh("ssh-ed25519", bytes(32)),
    "swapped.pub": openssh("ssh-rsa", _EXPONENT, _modulus(2048), said="ssh-ed25519"),
    "two.pub": RSA + RSA,
    "private.pem": "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
}
