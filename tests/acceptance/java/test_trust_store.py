"""A repository whose certificate only the system trusts, as behind a company's proxy."""

from __future__ import annotations

import datetime
import functools
import hashlib
import http.server
import ipaddress
import os
import ssl
import subprocess
import sys
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

CONTENT = b"PK a jar"
_ENSURE = """
import hashlib, sys
from pathlib import Path
from hdictl.drivers.java.jar_lock import LockedJar
from hdictl.drivers.java.jars import ensure_jars
from hdictl.errors import HdictlError
from hdictl.ports.progress import Silent
jar = LockedJar("org.example", "one", "1.0", sys.argv[2], 8)
try:
    print(ensure_jars([jar], Silent(), cache=Path(sys.argv[1]))[0].read_bytes().decode())
except HdictlError as error:
    print(error)
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass


@pytest.fixture
def authority(tmp_path):
    """A certificate for 127.0.0.1 that vouches for itself; its file also holds the key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Company Proxy")])
    now = datetime.datetime.now(datetime.timezone.utc)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(address, critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = tmp_path / "authority.pem"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
    return file


@pytest.fixture
def mirror(tmp_path, authority):
    place = tmp_path / "repository" / "org" / "example" / "one" / "1.0"
    place.mkdir(parents=True)
    (place / "one-1.0.jar").write_bytes(CONTENT)
    handler = functools.partial(Quiet, directory=tmp_path / "repository")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("is_known", [True, False])
def test_what_the_system_trusts_java_trusts(tmp_path, mirror, authority, is_known):
    trusted = authority if is_known else tmp_path / "none"
    environ = {**os.environ, "HDICTL_MAVEN_MIRROR": mirror, "SSL_CERT_FILE": str(trusted), "SSL_CERT_DIR": "/none"}
    command = [sys.executable, "-c", _ENSURE, str(tmp_path / "cache"), hashlib.sha256(CONTENT).hexdigest()]
    said = subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout
    if is_known:
        assert said == "PK a jar\n"
    else:
        assert "neither Java nor this system trusts the repository's certificate" in said
        assert "SSL_CERT_FILE" in said
