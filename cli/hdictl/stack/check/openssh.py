"""OpenSSH public keys, as far as a check needs them."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

RSA = "ssh-rsa"


@dataclass(frozen=True)
class PublicKey:
    type: str
    parts: tuple[bytes, ...]

    @property
    def bits(self) -> int | None:
        """Length of an RSA key: that of its modulus, which comes last."""
        return int.from_bytes(self.parts[-1], "big").bit_length() if self.type == RSA else None


def parsed(text: str) -> PublicKey | str:
    """The one key in this text, or what is wrong with it, in words that give nothing of the text away."""
    if "PRIVATE KEY" in text:
        return "is a private key; the public one is in the .pub file beside it"
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    words = lines[0].split() if len(lines) == 1 else []
    if len(words) < 2:
        return "is not one OpenSSH public key on one line"
    parts = _parts(words[1])
    return PublicKey(words[0], parts) if parts[:1] == (words[0].encode(),) else "is not an OpenSSH public key"


def _parts(encoded: str) -> tuple[bytes, ...]:
    """What a key is made of: each part has its length, in four bytes, before it (RFC 4253, section 6.6)."""
    try:
        body = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return ()
    parts = []
    while len(body) >= 4:
        length = int.from_bytes(body[:4], "big")
        parts.append(body[4 : 4 + length])
        body = body[4 + length :]
    return tuple(parts)
