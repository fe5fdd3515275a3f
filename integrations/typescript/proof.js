import { createHash, createPublicKey, verify } from "node:crypto";

/**
 * The half of the gate's key that everybody may have: the text in its file `gate.pub`. The gate signs each reply with the other half, over
 * the caller's nonce, the name it was called by, the status and the body; whoever squats on its port cannot.
 */
export class GateKey {
  #key;

  /** @param {string} text */
  constructor(text) {
    const encoded = /^sgk1\.([A-Za-z0-9_-]{43})$/.exec(text.trim())?.[1];
    if (!encoded) {
      throw new TypeError("this is no key of a gate: it is the text in the file `gate.pub`, and begins with `sgk1.`");
    }
    this.#key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: encoded }, format: "jwk" });
  }

  /**
   * Whether the gate has answered this.
   * @param {{ nonce: string, host: string, status: number, body: Uint8Array, proof: string }} reply
   */
  hasSigned({ nonce, host, status, body, proof }) {
    if (!/^[A-Za-z0-9_-]{86}$/.test(proof)) {
      return false;
    }
    const digest = createHash("sha256").update(body).digest("hex");
    const statement = `signoff reply v1\n${nonce}\n${host}\n${status}\n${digest}\n`;
    return verify(null, Buffer.from(statement), this.#key, Buffer.from(proof, "base64url"));
  }
}
