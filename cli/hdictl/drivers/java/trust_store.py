"""The system's certificate authorities in the form that Java reads.

A Java brings its own list. Where a company's proxy signs with an authority of its own, the system knows it and a
Java from a wheel does not.
"""

from __future__ import annotations

import ssl
import warnings
from pathlib import Path


def write_trust_store(file: Path, context: ssl.SSLContext | None = None) -> bool:
    """False when the system has no authorities to offer; nothing is written then."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import NoEncryption, pkcs12

    known = (context or ssl.create_default_context()).get_ca_certs(binary_form=True)
    entries = []
    # Some old roots break rules that OpenSSL does not mind, and the parser warns or refuses.
    for number, certificate in enumerate(known):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                loaded = x509.load_der_x509_certificate(certificate)
        except ValueError:
            continue
        entries.append(pkcs12.PKCS12Certificate(loaded, f"authority-{number}".encode()))
    if not entries:
        return False
    file.write_bytes(pkcs12.serialize_java_truststore(entries, NoEncryption()))
    return True


def options(file: Path) -> list[str]:
    return [f"-Djavax.net.ssl.trustStore={file}", "-Djavax.net.ssl.trustStoreType=PKCS12"]
