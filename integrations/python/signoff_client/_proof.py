"""Whether it was the gate that answered. It signs each reply with Ed25519 over the caller's nonce, the name it was called by,
the status and the body; whoever squats on its port or socket cannot.

Ed25519 (RFC 8032) is checked in plain Python: the standard library has none, and whoever embeds this should not have to
install one. There is no secret here that its timing could tell.
"""

from __future__ import annotations

import base64
import binascii
import hashlib

PREFIX = "sgk1."
_DOMAIN = "signoff reply v1"

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int, int, int]
_ZERO: _Point = (0, 1, 1, 0)


def statement(nonce: str, host: str, status: int, body: bytes) -> bytes:
    """The text that the gate signs for a reply."""
    return f"{_DOMAIN}\n{nonce}\n{host}\n{status}\n{hashlib.sha256(body).hexdigest()}\n".encode()


class GateKey:
    """The half of the gate's key that everybody may have: the text in its file ``gate.pub``."""

    def __init__(self, text: str) -> None:
        encoded = text.strip()
        point = None
        if encoded.startswith(PREFIX):
            self._bytes = _decoded(encoded[len(PREFIX) :], 32)
            point = _point(self._bytes)
        # With a weak key, one signature fits many statements.
        if point is None or _is_small(point):
            raise ValueError("this is no key of a gate: it is the text in the file `gate.pub`, and begins with `sgk1.`")
        self._point = point

    def has_signed(self, signed: bytes, proof: str) -> bool:
        """Whether the other half of this key has signed it."""
        signature = _decoded(proof, 64)
        first = _point(signature[:32])
        factor = int.from_bytes(signature[32:], "little")
        if len(signature) != 64 or first is None or _is_small(first) or factor >= _ORDER:
            return False
        digest = hashlib.sha512(signature[:32] + self._bytes + signed).digest()
        challenge = int.from_bytes(digest, "little") % _ORDER
        x, y, z, t = self._point
        found = _add(_times(factor, _BASE), _times(challenge, (-x % _P, y, z, -t % _P)))
        return _encoded(found) == signature[:32]


def _decoded(text: str, length: int) -> bytes:
    """The bytes of base64 without padding in its alphabet for addresses; none where it is anything else."""
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return b""
    return found if len(found) == length else b""


def _add(one: _Point, other: _Point) -> _Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % _P, (y1 + x1) * (y2 + x2) % _P
    c, d = 2 * t1 * t2 * _D % _P, 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(factor: int, point: _Point) -> _Point:
    sum_ = _ZERO
    while factor:
        if factor & 1:
            sum_ = _add(sum_, point)
        point = _add(point, point)
        factor >>= 1
    return sum_


def _is_small(point: _Point) -> bool:
    x, y, z, _ = _times(8, point)
    return x % _P == 0 and (y - z) % _P == 0


def _point(encoded: bytes) -> _Point | None:
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    y, odd = number & ((1 << 255) - 1), number >> 255
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if (x * x - square) % _P or (x == 0 and odd):
        return None
    if x & 1 != odd:
        x = _P - x
    return x, y, 1, x * y % _P


def _encoded(point: _Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, _P)
    x, y = x * inverse % _P, y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


_base = _point((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
assert _base is not None
_BASE = _base
