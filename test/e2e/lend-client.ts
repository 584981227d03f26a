import { readFileSync } from 'node:fs';
import { Connection, Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'vitest';
import { DEFAULT_SEED, deriveGenesisKeys } from '../../src/protocol/genesis/keys.ts';
import type { SharedInstance } from './shared-instance.ts';

/** Everything: the SDK's `MAX_REPAY_AMOUNT` and `MAX_WITHDRAW_AMOUNT`. */
export const ALL = '-170141183460469231731687303715884105728';

/** A body of an answer, or of a request, of which a test reads some fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert what is in it.
export type Json = any;

export interface OperateBody {
  readonly vaultId: number;
  readonly positionId: number;
  readonly colAmount: string;
  readonly debtAmount: string;
  readonly signer?: string;
  readonly positionOwner?: string;
  readonly market?: string;
}

/** An instance, and a wallet that uses its lending products as a client does. */
export class LendClient {
  readonly instance: SharedInstance;
  readonly connection: Connection;
  /** Of the demo team, whose limits are those of a plan. */
  readonly apiKey: string;
  readonly wallet: Keypair;
  /** The demo wallets, in their order; the first one is `wallet`. */
  readonly wallets: readonly Keypair[];

  constructor(instance: SharedInstance) {
    this.instance = instance;
    this.apiKey = instance.apiKey;
    this.connection = new Connection(instance.rpcUrl, 'processed');
    this.wallet = Keypair.fromSecretKey(
      Uint8Array.from(JSON.parse(readFileSync(instance.walletFile, 'utf8'))),
    );
    const seeds = deriveGenesisKeys(DEFAULT_SEED).demoWallets;
    this.wallets = seeds.map(({ secretKey }) => Keypair.fromSecretKey(secretKey));
  }

  async get(path: string): Promise<Json> {
    const headers = { 'x-api-key': this.apiKey };
    const response = await fetch(`${this.instance.restUrl}/lend/v1/borrow/${path}`, { headers });
    return { status: response.status, body: await response.json() };
  }

  async vaults(market = 'main'): Promise<Json[]> {
    return (await this.get(`vaults?market=${market}`)).body;
  }

  async positions(owner: Keypair = this.wallet, market = 'main'): Promise<Json[]> {
    return (await this.get(`positions?users=${owner.publicKey}&market=${market}`)).body;
  }

  async position(vaultId: number, id: number, owner: Keypair = this.wallet): Promise<Json> {
    return (await this.positions(owner)).find((each) => each.vaultId === vaultId && each.id === id);
  }

  /** Asks for an operation by the wallet, unless the body names another signer. */
  async build(body: OperateBody, path = 'operate'): Promise<Json> {
    const { market, ...rest } = body;
    const query = market === undefined ? '' : `?market=${market}`;
    const response = await fetch(`${this.instance.restUrl}/lend/v1/borrow/${path}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': this.apiKey },
      body: JSON.stringify({ signer: this.wallet.publicKey.toBase58(), ...rest }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Asks for an operation, signs it and lands it. */
  async operate(body: OperateBody, signer: Keypair = this.wallet): Promise<number> {
    const built = await this.build({ signer: signer.publicKey.toBase58(), ...body });
    expect(built.status, JSON.stringify(built.body)).toBe(200);
    const landed = await this.land(built.body.transaction, signer);
    expect(landed).toBeNull();
    return built.body.nftId;
  }

  /**
   * Signs and sends a transaction, and waits for its outcome.
   * Returns null, or the RPC's `TransactionError`.
   */
  async land(transaction: string, signer: Keypair = this.wallet): Promise<unknown> {
    const parsed = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
    parsed.message.recentBlockhash = (await this.connection.getLatestBlockhash('processed')).blockhash;
    parsed.sign([signer]);
    const signature = await this.connection.sendTransaction(parsed, { skipPreflight: true });
    const status = async () => (await this.connection.getSignatureStatuses([signature])).value[0];
    await expect.poll(status, { interval: 50 }).not.toBeNull();
    return (await status())?.err ?? null;
  }

  /** Lands instructions of the SDK. */
  async landInstructions(sdk: Json, signer: Keypair = this.wallet): Promise<unknown> {
    const message = new TransactionMessage({
      payerKey: signer.publicKey,
      recentBlockhash: PublicKey.default.toBase58(),
      instructions: sdk.ixs,
    }).compileToV0Message(sdk.addressLookupTableAccounts);
    const bytes = new VersionedTransaction(message).serialize();
    return this.land(Buffer.from(bytes).toString('base64'), signer);
  }

  /** Returns atoms of the associated token account; 0 if there is none. */
  async balance(mint: string, owner: Keypair = this.wallet): Promise<bigint> {
    const { value } = await this.connection.getParsedTokenAccountsByOwner(owner.publicKey, {
      mint: new PublicKey(mint),
    });
    return BigInt(value[0]?.account.data.parsed.info.tokenAmount.amount ?? '0');
  }
}
