"""One request and one reply over HTTP/1.1, on a port, through TLS or on a local socket. The bytes are made and read in one place;
only sending them is done in two ways, since a thread for each call that waits for a person would be too many."""

from __future__ import annotations

import asyncio
import http.client
import io
import socket
import ssl
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

#: The largest reply that is taken.
_AT_MOST = 64 * 1024 * 1024
#: How long a gateway may take to be there.
_CONNECT_WITHIN = 2.0


@dataclass(frozen=True)
class Address:
    """Where a gateway is: ``http://127.0.0.1:7766``, ``https://signoff.example.com`` or ``unix:/run/signoff/gate.sock``."""

    text: str
    #: What stands in the header ``host``, which the gate signs.
    host: str
    name: str
    port: int
    path: str | None
    tls: bool

    @classmethod
    def parse(cls, text: str) -> Address:
        if text.startswith("unix:"):
            return cls(text, "signoff", "", 0, text.removeprefix("unix:"), False)
        parts = urlsplit(text)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
            raise ValueError(f"`{text}` is no address of a gateway: http://HOST:PORT, https://HOST or unix:/PATH")
        tls = parts.scheme == "https"
        usual = 443 if tls else 80
        port = parts.port or usual
        bare = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        return cls(text, bare if port == usual else f"{bare}:{port}", parts.hostname, port, None, tls)


class Unreached(Exception):
    """Nobody is there."""


class Unheard(Exception):
    """Somebody is there, and there is no whole answer. What was sent may have arrived."""


@dataclass(frozen=True)
class Reply:
    status: int
    proof: str
    body: bytes


def written(method: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
    """A request as bytes. Nothing in a header can end it."""
    lines = [f"{method} {path} HTTP/1.1"]
    for name, value in headers.items():
        if any(ord(letter) < 32 or ord(letter) == 127 for letter in value):
            raise ValueError(f"`{name}` cannot be sent: it has a control character")
        lines.append(f"{name}: {value}")
    lines += [f"content-length: {len(body)}", "connection: close", "", ""]
    return "\r\n".join(lines).encode() + body


class _Bytes:
    """What ``http.client`` reads a reply from."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, *_: Any, **__: Any) -> io.BytesIO:
        return io.BytesIO(self._data)


def read(data: bytes) -> Reply:
    """The reply that these bytes are. One that was cut off is none."""
    try:
        response = http.client.HTTPResponse(_Bytes(data))  # type: ignore[arg-type]
        response.begin()
        if response.length is None and not response.chunked and response.status != 204:
            raise Unheard("the reply does not say where it ends")
        body = response.read()
    except (http.client.HTTPException, ValueError, OSError) as error:
        raise Unheard(f"the reply cannot be read: {type(error).__name__}") from error
    return Reply(response.status, response.getheader("signoff-proof") or "", body)


def exchange(address: Address, request: bytes, within: float) -> Reply:
    """Sends a request and waits for the reply."""
    end = time.monotonic() + within
    try:
        line = _connected(address)
    except OSError as error:
        raise Unreached(str(error)) from error
    with line:
        try:
            line.settimeout(within)
            line.sendall(request)
            data = bytearray()
            while True:
                line.settimeout(max(0.001, end - time.monotonic()))
                part = line.recv(65536)
                if not part:
                    return read(bytes(data))
                data += part
                if len(data) > _AT_MOST:
                    raise Unheard("the reply is too long")
        except OSError as error:
            raise Unheard(str(error) or type(error).__name__) from error


def _connected(address: Address) -> socket.socket:
    if address.path is not None:
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            line.settimeout(_CONNECT_WITHIN)
            line.connect(address.path)
        except OSError:
            line.close()
            raise
        return line
    plain = socket.create_connection((address.name, address.port), _CONNECT_WITHIN)
    if not address.tls:
        return plain
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=address.name)
    except OSError:
        plain.close()
        raise


async def exchange_async(address: Address, request: bytes, within: float) -> Reply:
    """The same without a thread that waits."""
    try:
        reader, writer = await asyncio.wait_for(_connected_async(address), _CONNECT_WITHIN)
    except (OSError, asyncio.TimeoutError) as error:
        raise Unreached(str(error) or "nobody is there") from error
    try:
        return await asyncio.wait_for(_talked(reader, writer, request), within)
    except (OSError, EOFError, asyncio.TimeoutError) as error:
        raise Unheard(str(error) or type(error).__name__) from error
    finally:
        writer.close()


async def _connected_async(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if address.path is not None:
        return await asyncio.open_unix_connection(address.path)
    tls = ssl.create_default_context() if address.tls else None
    return await asyncio.open_connection(address.name, address.port, ssl=tls)


async def _talked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> Reply:
    writer.write(request)
    await writer.drain()
    data = bytearray()
    while part := await reader.read(65536):
        data += part
        if len(data) > _AT_MOST:
            raise Unheard("the reply is too long")
    return read(bytes(data))
