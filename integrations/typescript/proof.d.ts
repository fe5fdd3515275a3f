/**
 * The half of the gate's key that everybody may have: the text in its file `gate.pub`. The gate signs each reply with the other half, over
 * the caller's nonce, the name it was called by, the status and the body; whoever squats on its port cannot.
 */
export declare class GateKey {
    #private;
    /** @param {string} text */
    constructor(text: string);
    /**
     * Whether the gate has answered this.
     * @param {{ nonce: string, host: string, status: number, body: Uint8Array, proof: string }} reply
     */
    hasSigned({ nonce, host, status, body, proof }: {
        nonce: string;
        host: string;
        status: number;
        body: Uint8Array;
        proof: string;
    }): boolean;
}
