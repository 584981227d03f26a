import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject, vi } from 'vitest';
import { type Keypair, createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { onFailedWait } from '../../src/testing/waits.ts';
import { bannerValue } from './instance.ts';
import type { PoolMessage } from './instance-pool.setup.ts';
import { LastLines } from './last-lines.ts';
import { type CommandResult, runCommand } from './run-command.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
type Json = any;

interface Loan {
  readonly banner: string;
  readonly folder: string;
  readonly connection: Socket;
  readonly endReports: () => void;
}

/**
 * An instance with the default settings that was started for this or an earlier test file. Its network is at its beginning.
 * What the products have recorded may be of earlier files: trades and their candles, the request log, used-up limits, the
 * history of wallets. A test that cares uses a new wallet, or `startOwnInstance`. So does a test that ends or pauses the
 * process. A file may change organisations, keys, plans, makers and tokens, but then the instance is not lent again.
 */
export class SharedInstance {
  #loan: Loan | null = null;

  get #lent(): Loan {
    if (this.#loan === null) throw new Error('the instance is there from beforeAll to afterAll only');
    return this.#loan;
  }

  /** The working directory of the instance, with its data folder `.sluice` in it. */
  get folder(): string {
    return this.#lent.folder;
  }

  /** What the instance's banner prints after `name`. */
  shown(name: string): string {
    return bannerValue(this.#lent.banner, name);
  }

  get banner(): string {
    return this.#lent.banner;
  }

  get restUrl(): string {
    return this.shown('REST');
  }

  get rpcUrl(): string {
    return this.shown('Solana RPC');
  }

  get adminUrl(): string {
    return new URL(this.shown('Admin')).origin;
  }

  /** The API key of the demo team, whose limits no test reaches. */
  get apiKey(): string {
    return this.shown('API key');
  }

  /** The keypair file of the demo wallet. */
  get walletFile(): string {
    return this.shown('its key');
  }

  get operatorCredential(): string {
    return readFileSync(join(this.folder, '.sluice', 'operator-credential'), 'utf8').trim();
  }

  /** Asks the REST interface with the demo key: a GET, or with a body a POST. */
  async ask(path: string, body?: object): Promise<{ readonly status: number; readonly json: Json }> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'x-api-key': this.apiKey, 'content-type': 'application/json' };
    const response = await fetch(`${this.restUrl}${path}`, { ...init, headers });
    return { status: response.status, json: await response.json() };
  }

  /** Calls a method of the Solana RPC. */
  async rpc(method: string, ...params: readonly unknown[]): Promise<Json> {
    const response = await fetch(this.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: unknown;
    };
    expect(error).toBeUndefined();
    return result;
  }

  /** Asks the admin interface as its operator. */
  async admin(method: string, path: string, body?: object): Promise<Json> {
    const response = await fetch(`${this.adminUrl}/admin/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.operatorCredential}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as Json;
    expect(response.status, JSON.stringify(json)).toBe(200);
    return json;
  }

  /** Runs a command in the folder of the instance, in this process. */
  run(...args: readonly string[]): Promise<CommandResult> {
    return runCommand(args, this.folder);
  }

  /**
   * Returns a wallet that no other test has, once its funds are confirmed.
   *
   * @param lamports - Up to 2^53.
   * @param tokens - Atoms by mint.
   */
  async newWallet(lamports: bigint, tokens: Readonly<Record<string, bigint>> = {}): Promise<Keypair> {
    const wallet = createKeypairFromSeed(randomBytes(32));
    await this.rpc('requestAirdrop', wallet.address, Number(lamports));
    for (const [mint, amount] of Object.entries(tokens)) {
      await this.admin('POST', 'network/faucet', { wallet: wallet.address, mint, amount: String(amount) });
    }
    await this.confirmed(await this.rpc('getSlot', { commitment: 'processed' }));
    return wallet;
  }

  /** Resolves when the slot is confirmed: the disk has it, and products see it. */
  confirmed(slot: number): Promise<void> {
    const isConfirmed = async () =>
      expect(await this.rpc('getSlot', { commitment: 'confirmed' })).toBeGreaterThanOrEqual(slot);
    return vi.waitFor(isConfirmed, { interval: 20 });
  }

  /** Borrows the instance from the pool, and resolves when its network is at its beginning. */
  async open(): Promise<void> {
    const connection = connect(inject('instancePool'), '127.0.0.1');
    const lines = new LastLines();
    const messages = createInterface({ input: connection });
    const first = once(messages, 'line');
    messages.on('line', (line) => {
      const message = JSON.parse(line) as PoolMessage;
      if (message.kind === 'output') lines.write(message.text);
    });
    const message = JSON.parse(String(await first)) as PoolMessage;
    if (message.kind === 'failed') throw new Error(`no shared instance: ${message.reason}`);
    if (message.kind === 'output') throw new Error('the pool lent no instance');
    const { banner, folder, resetSlot } = message;
    const endReports = onFailedWait(() => `the shared instance in ${folder} wrote at last:\n${lines.text()}`);
    this.#loan = { banner, folder, connection, endReports };
    await this.confirmed(resetSlot);
  }

  /** Gives the instance back. */
  async close(): Promise<void> {
    if (this.#loan === null) return;
    const { connection, endReports } = this.#loan;
    this.#loan = null;
    endReports();
    connection.end();
    await once(connection, 'close');
  }
}

/** Gives the tests of a file, or of a `describe`, an instance that files share: from `beforeAll` to `afterAll`. */
export function useInstance(): SharedInstance {
  const instance = new SharedInstance();
  beforeAll(() => instance.open());
  afterAll(() => instance.close());
  return instance;
}
