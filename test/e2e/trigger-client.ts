import { expect, vi } from 'vitest';
import { encodeBase58 } from '../../src/solana/encoding/base58.ts';
import { type Keypair, signWith } from '../../src/solana/keypair.ts';
import { readSentTransaction } from '../../src/solana/messages/transaction.ts';
import { now } from '../../src/testing/waits.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const DAY_MS = 86_400_000;

/** What an order of 50 USDC says. */
interface OrderFields {
  readonly outputMint: string;
  readonly triggerMint: string;
  readonly triggerCondition: 'above' | 'below';
  readonly triggerPriceUsd: number;
}

/** A client of one wallet that has signed in. */
export class TriggerClient {
  readonly wallet: Keypair;
  readonly #restUrl: string;
  #token = '';

  private constructor(restUrl: string, wallet: Keypair) {
    this.#restUrl = restUrl;
    this.wallet = wallet;
  }

  /** Signs in, and registers the vault of the wallet. */
  static async signIn(restUrl: string, wallet: Keypair): Promise<TriggerClient> {
    const client = new TriggerClient(restUrl, wallet);
    const asked = { walletPubkey: wallet.address, type: 'message' };
    const { challenge } = await client.post('auth/challenge', asked);
    const signature = encodeBase58(signWith(wallet, new TextEncoder().encode(challenge)));
    client.#token = (await client.post('auth/verify', { ...asked, signature })).token;
    await client.post('vault/register', {});
    return client;
  }

  /** Deposits 50 USDC for an order, and returns its id. */
  async order(fields: OrderFields): Promise<string> {
    const { address } = this.wallet;
    const amount = '50000000';
    const pair = { inputMint: USDC, outputMint: fields.outputMint };
    const kind = { orderType: 'price', orderSubType: 'single' };
    const crafted = await this.post('deposit/craft', { ...pair, ...kind, userAddress: address, amount });
    const { id } = await this.post('orders/price', {
      ...pair,
      ...fields,
      orderType: 'single',
      depositRequestId: crafted.requestId,
      depositSignedTx: this.sign(crafted.transaction),
      userPubkey: address,
      inputAmount: amount,
      expiresAt: now() + DAY_MS,
    });
    return id;
  }

  /** Cancels an order, and takes its money back. */
  async cancel(id: string): Promise<void> {
    const { transaction, requestId } = await this.post(`orders/price/cancel/${id}`, {});
    const signedTransaction = this.sign(transaction);
    await this.post(`orders/price/confirm-cancel/${id}`, { signedTransaction, cancelRequestId: requestId });
  }

  /** Waits until an order is filled, and returns it with its events. */
  filled(id: string) {
    return vi.waitFor(async () => {
      const order = await this.get(`orders/history/${id}`);
      expect(order).toMatchObject({ orderState: 'filled' });
      return order;
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  get(path: string): Promise<any> {
    return this.#ask(path, {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  post(path: string, body: object): Promise<any> {
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body) });
  }

  /** Puts the signature of the wallet into the first place of a transaction in base64. */
  sign(base64: string): string {
    const bytes = Buffer.from(base64, 'base64');
    const { messageBytes } = readSentTransaction(new Uint8Array(bytes)).transaction;
    bytes.set(signWith(this.wallet, messageBytes), 1);
    return bytes.toString('base64');
  }

  /** Makes a request that may be refused. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  async ask(path: string, init: RequestInit): Promise<{ readonly status: number; readonly json: any }> {
    const answer = await fetch(`${this.#restUrl}/trigger/v2/${path}`, {
      ...init,
      headers: {
        'content-type': 'application/json',
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      },
    });
    return { status: answer.status, json: await answer.json() };
  }

  async #ask(path: string, init: RequestInit) {
    const { status, json } = await this.ask(path, init);
    expect(status, JSON.stringify(json)).toBeLessThan(300);
    return json;
  }
}
