import { expect, vi } from 'vitest';
import { encodeBase58 } from '../../src/solana/encoding/base58.ts';
import { type Keypair, signWith } from '../../src/solana/keypair.ts';
import { readSentTransaction } from '../../src/solana/messages/transaction.ts';
import { now } from '../../src/testing/waits.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const DAY_MS = 86_400_000;

/** What an order of 50 USDC says. It is `single` unless it says otherwise. */
interface OrderFields {
  readonly orderType?: 'single' | 'oco' | 'otoco';
  readonly outputMint: string;
  readonly triggerMint: string;
  readonly triggerCondition?: 'above' | 'below';
  readonly triggerPriceUsd?: number;
  readonly trailingBps?: number;
  readonly tpPriceUsd?: number;
  readonly slPriceUsd?: number;
}

/** What an order says that sells 50 USDC in rounds. */
interface RoundFields {
  readonly outputMint: string;
  readonly orderCount: number;
  readonly intervalSeconds: number;
}

const AMOUNT = '50000000';

/** A client of one wallet that has signed in. */
export class TriggerClient {
  readonly wallet: Keypair;
  readonly #restUrl: string;
  #token = '';

  private constructor(restUrl: string, wallet: Keypair) {
    this.#restUrl = restUrl;
    this.wallet = wallet;
  }

  /** The token of the wallet, as a client keeps it. */
  get token(): string {
    return this.#token;
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
  async order({ orderType = 'single', ...fields }: OrderFields): Promise<string> {
    const deposit = await this.#deposit(fields, { orderType: 'price', orderSubType: orderType });
    const { id } = await this.post('orders/price', {
      ...deposit,
      ...fields,
      orderType,
      expiresAt: now() + DAY_MS,
    });
    return id;
  }

  /** Deposits 50 USDC for an order that is filled in rounds, and returns its id. */
  async rounds(fields: RoundFields): Promise<string> {
    const deposit = await this.#deposit(fields, { orderType: 'dca' });
    const { id } = await this.post('orders/dca', { ...deposit, ...fields });
    return id;
  }

  /** Crafts and signs a deposit. Returns what the order has to say of it. */
  async #deposit({ outputMint }: { readonly outputMint: string }, kind: object) {
    const { address } = this.wallet;
    const pair = { inputMint: USDC, outputMint };
    const asked = { ...pair, ...kind, userAddress: address, amount: AMOUNT };
    const { requestId, transaction } = await this.post('deposit/craft', asked);
    return {
      ...pair,
      depositRequestId: requestId,
      depositSignedTx: this.sign(transaction),
      userPubkey: address,
      inputAmount: AMOUNT,
    };
  }

  /** Cancels an order, takes its money back, and returns what the cancellation was answered with. */
  async cancel(id: string, family: 'price' | 'dca' = 'price') {
    const cancelled = await this.post(`orders/${family}/cancel/${id}`, {});
    const signedTransaction = this.sign(cancelled.transaction);
    const cancelRequestId = cancelled.requestId;
    await this.post(`orders/${family}/confirm-cancel/${id}`, { signedTransaction, cancelRequestId });
    return cancelled;
  }

  /** Waits until an order is filled, and returns it with its events. */
  filled(id: string) {
    return this.inState(id, { orderState: 'filled' });
  }

  /** Waits until an order is as it should be, and returns it. */
  inState(id: string, expected: object, list: 'history' | 'history/dca' = 'history') {
    return vi.waitFor(async () => {
      const order = await this.get(`orders/${list}/${id}`);
      expect(order).toMatchObject(expected);
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

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  patch(path: string, body: object): Promise<any> {
    return this.#ask(path, { method: 'PATCH', body: JSON.stringify(body) });
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
