"""Ed25519, with the vectors of RFC 8032, and what must not pass for a signature."""

from __future__ import annotations

import base64
import unittest

from signoff_client._proof import _ORDER, GateKey


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


#: Key, message and signature: the first three of section 7.1.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


class Proof(unittest.TestCase):
    def test_the_vectors_of_the_standard(self) -> None:
        for key, message, signature in VECTORS:
            gate = GateKey("sgk1." + _text(bytes.fromhex(key)))
            self.assertTrue(gate.has_signed(bytes.fromhex(message), _text(bytes.fromhex(signature))))

    def test_anything_else_is_none(self) -> None:
        key, message, signature = (bytes.fromhex(text) for text in VECTORS[2])
        gate = GateKey("sgk1." + _text(key))
        other = GateKey("sgk1." + _text(bytes.fromhex(VECTORS[1][0])))
        # Added to itself once, the second half still fits the equation; there is to be one signature and no other.
        factor = (int.from_bytes(signature[32:], "little") + _ORDER).to_bytes(32, "little")
        flipped = [bytes([*signature[:at], signature[at] ^ 1, *signature[at + 1 :]]) for at in range(64)]
        wrong = [*flipped, signature[:32] + factor, signature[:-1], signature + b"\0", b"", bytes(64)]
        for text in [*map(_text, wrong), "é", "=" * 86, _text(signature) + "\n"]:
            self.assertFalse(gate.has_signed(message, text), text)
        self.assertFalse(gate.has_signed(message + b"\0", _text(signature)))
        self.assertFalse(other.has_signed(message, _text(signature)))

    def test_a_weak_key_is_none(self) -> None:
        weak = [bytes([1]) + bytes(31), bytes(32), b"\xec" + b"\xff" * 30 + b"\x7f", b"\xff" * 32]
        for key in weak:
            self.assertRaises(ValueError, GateKey, "sgk1." + _text(key))


if __name__ == "__main__":
    unittest.main()
