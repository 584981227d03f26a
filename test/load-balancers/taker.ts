import { readFileSync } from 'node:fs';
import {
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { expect, vi } from 'vitest';
import type { Deployment } from '../e2e/deployment.ts';

export const SALE = {
  inputMint: 'So11111111111111111111111111111111111111112',
  outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amount: '10000000',
};

/** Sends a request to whichever instance has its turn. It may reject, or be answered by a load balancer. */
export type AskAny = (
  path: string,
  init: {
    readonly method?: string;
    readonly body?: string;
    readonly headers: Readonly<Record<string, string>>;
  },
) => Promise<{ readonly text: () => Promise<string> }>;

/** The demo wallet, which swaps while instances and servers end, and accounts for all that landed. */
export class Taker {
  readonly #deployment: Deployment;
  readonly #ask: AskAny;
  /** Signatures that are accounted for. */
  readonly #known = new Set<string>();

  constructor(deployment: Deployment, ask: AskAny) {
    this.#deployment = deployment;
    this.#ask = ask;
  }

  /** Accounts for what has landed before. */
  async open(): Promise<this> {
    for (const signature of await this.#listLanded()) this.#known.add(signature);
    return this;
  }

  /** Swaps one order after another, as a client does: what has no answer is asked for again. Returns the signatures. */
  async swapUntil(isOver: () => boolean): Promise<readonly string[]> {
    const signatures: string[] = [];
    while (!isOver()) {
      const taker = this.#deployment.shown('Demo wallet');
      const order = await this.#call(`order?${new URLSearchParams({ ...SALE, taker })}`);
      if (typeof order?.transaction !== 'string') continue;
      const signedTransaction = await this.#sign(order.transaction);
      const body = JSON.stringify({ signedTransaction, requestId: order.requestId });
      const answer = await vi.waitFor(async () => {
        const answered = await this.#call('execute', { method: 'POST', body });
        // A failover may lose an order that was made a moment before it. Then nothing was sent.
        if (answered?.code === -1) return null;
        expect(answered?.status).toMatch(/^(Success|Failed)$/);
        expect(answered?.code).not.toBe(-2_001);
        return answered;
      });
      if (answer === null) continue;
      expect(answer).toMatchObject({ status: 'Success', totalOutputAmount: order.outAmount });
      signatures.push(String(answer.signature));
    }
    return signatures;
  }

  /** Requires that what landed is exactly what the answers said: each order once, and no other. */
  async requireExactly(signatures: readonly string[]): Promise<void> {
    expect(new Set(signatures).size).toBe(signatures.length);
    const landed = (await this.#listLanded()).filter((signature) => !this.#known.has(signature));
    expect(landed.toSorted()).toEqual([...signatures].sort());
    for (const signature of landed) this.#known.add(signature);
  }

  async #call(path: string, init: { readonly method?: string; readonly body?: string } = {}) {
    const headers = { 'x-api-key': this.#deployment.shown('API key'), 'content-type': 'application/json' };
    try {
      const text = await (await this.#ask(`/swap/v2/${path}`, { ...init, headers })).text();
      return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : null;
    } catch {
      return null;
    }
  }

  async #sign(transaction: string): Promise<string> {
    const key = Uint8Array.from(
      JSON.parse(readFileSync(this.#deployment.shown('its key'), 'utf8')) as number[],
    );
    const signer = await createKeyPairSignerFromBytes(key);
    const unsigned = getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
    const signed = await partiallySignTransaction([signer.keyPair], unsigned);
    return Buffer.from(getTransactionEncoder().encode(signed)).toString('base64');
  }

  /** Returns the signatures of the taker's transactions that have succeeded. */
  async #listLanded(): Promise<readonly string[]> {
    const response = await fetch(this.#deployment.shown('Solana RPC'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'getSignaturesForAddress',
        params: [this.#deployment.shown('Demo wallet'), { commitment: 'confirmed' }],
      }),
    });
    const { result } = (await response.json()) as {
      readonly result: readonly { signature: string; err: unknown }[];
    };
    return result.filter(({ err }) => err === null).map(({ signature }) => signature);
  }
}
