"""Does a broker behind a published port answer?

An open port says nothing: Docker's proxy accepts connections before there is a broker behind it.
"""

from __future__ import annotations

import socket
import struct
from typing import Final

# ApiVersions, version 0, which every broker answers at once: size, key 18, version 0, correlation id 0,
# client id "hdictl".
_QUESTION: Final = struct.pack(">ihhih6s", 16, 18, 0, 0, 6, b"hdictl")


def answers(port: int, timeout: float = 2.0) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
            connection.sendall(_QUESTION)
            return bool(connection.recv(4))
    except OSError:
        return False
