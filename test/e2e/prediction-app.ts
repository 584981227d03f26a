import * as web3 from '@solana/web3.js';
import type { SharedInstance } from './shared-instance.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
type Json = any;

const PRODUCT = '/prediction/v1';

/** An answer as an application sees it: what it throws for a refusal is the message of the body. */
export class AppError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * What the published sample applications for prediction markets send, in our own words: a content type with every request,
 * an empty key where none is configured, bodies with DELETE, and landing over the RPC in place of `execute`.
 */
export class PredictionApp {
  readonly connection: web3.Connection;
  readonly wallet: web3.Keypair;
  readonly #instance: SharedInstance;

  private constructor(instance: SharedInstance, wallet: web3.Keypair) {
    this.#instance = instance;
    this.wallet = wallet;
    const wsEndpoint = instance.shown('Solana WebSocket');
    this.connection = new web3.Connection(instance.rpcUrl, { commitment: 'confirmed', wsEndpoint });
  }

  /** Opens the application with a new wallet, which has SOL and these tokens. */
  static async open(
    instance: SharedInstance,
    tokens: Readonly<Record<string, bigint>>,
  ): Promise<PredictionApp> {
    const { secretKey } = await instance.newWallet(1_000_000_000n, tokens);
    return new PredictionApp(instance, web3.Keypair.fromSecretKey(secretKey));
  }

  get owner(): string {
    return this.wallet.publicKey.toBase58();
  }

  /** @throws AppError for a refusal */
  async ask(path: string, method = 'GET', body?: object): Promise<Json> {
    const response = await fetch(`${this.#instance.restUrl}${PRODUCT}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': '' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as Json;
    if (!response.ok) throw new AppError(response.status, json.message);
    return json;
  }

  /** Returns the items of a list, which may stand below `data`. */
  async list(path: string): Promise<Json> {
    const json = await this.ask(path);
    return Array.isArray(json) ? json : json.data;
  }

  /** Signs a built transaction, and sends it. Resolves when it has landed. */
  async signAndSend(built: { readonly transaction: string }, skipPreflight = true): Promise<string> {
    const transaction = web3.VersionedTransaction.deserialize(Buffer.from(built.transaction, 'base64'));
    transaction.sign([this.wallet]);
    const signature = await this.connection.sendRawTransaction(transaction.serialize(), { skipPreflight });
    await this.connection.confirmTransaction(signature, 'confirmed');
    return signature;
  }
}
