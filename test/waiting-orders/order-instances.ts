import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { encodeKeypairFile, type Keypair } from '../../src/solana/keypair.ts';
import { findFreePort } from '../../src/testing/free-port.ts';
import { deriveNamespace } from '../../src/store/shared/index.ts';
import { bannerValue, FREE_PORTS, Instance } from '../e2e/instance.ts';
import { startOwnInstance } from '../e2e/own-instance.ts';
import { environmentOf, openServers, type Servers } from '../e2e/servers.ts';
import { TcpProxy } from '../tcp-proxy.ts';

/** Blockhashes live for half a minute, so that what is dropped is given up while the campaign goes on. */
const NETWORK = ['--slot-ms=100', '--blockhash-slots=300'];
/** The ports that are the same after a restart. */
const PORTS = ['--rest-port', '--admin-port', '--rpc-port', '--ws-port'];
const KEEPERS = ['keeper-one', 'keeper-two'] as const;
/** So that no budget keeps an order from being filled. */
const GAS = ['--gas-lamports-per-day=1000000000000', '--gas-wallet-lamports-per-day=1000000000000'];

/** After so many starts without one that succeeds, something else is wrong. */
const MAX_STARTS = 5;

type JsonObject = Readonly<Record<string, unknown>>;

/** An instance that serves orders and carries the network, two keepers beside it, and the servers of all of them. */
export class OrderInstances {
  /** What ended although nobody killed it. */
  readonly defects: string[] = [];
  readonly databaseLine: TcpProxy;
  readonly valkeyLine: TcpProxy;
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-order-instances-'));
  readonly #servers: Servers;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #running = new Map<string, Instance>();
  #banner = '';
  #ports: readonly string[] = [];

  private constructor(servers: Servers, databaseLine: TcpProxy, valkeyLine: TcpProxy, gasWallet: Keypair) {
    this.#servers = servers;
    this.databaseLine = databaseLine;
    this.valkeyLine = valkeyLine;
    writeFileSync(join(this.#folder, 'gas.json'), encodeKeypairFile(gasWallet));
    writeFileSync(join(this.#folder, 'custody-key'), randomBytes(32).toString('hex'));
    this.#environment = {
      ...environmentOf({
        ...servers,
        databaseUrl: toPort(servers.databaseUrl, databaseLine.port),
        valkeyUrl: toPort(servers.valkeyUrl, valkeyLine.port),
      }),
      SLUICE_CUSTODY_KEY_FILE: join(this.#folder, 'custody-key'),
    };
  }

  /** Starts the instance. The keepers need a wallet with money, and are started with `startKeepers`. */
  static async open(gasWallet: Keypair): Promise<OrderInstances> {
    const servers = await openServers();
    const database = await TcpProxy.start(Number(new URL(servers.databaseUrl).port));
    const valkey = await TcpProxy.start(Number(new URL(servers.valkeyUrl).port));
    const instances = new OrderInstances(servers, database, valkey, gasWallet);
    try {
      await instances.startGateway();
      return instances;
    } catch (error) {
      await instances.close();
      throw error;
    }
  }

  /** The database, without the line that fails. */
  get databaseUrl(): string {
    return this.#servers.databaseUrl;
  }

  get keepers(): readonly string[] {
    return KEEPERS;
  }

  /** What the instance's banner prints after `name`. It is the same after a restart. */
  shown(name: string): string {
    return bannerValue(this.#banner, name);
  }

  /** Starts the instance, or starts it again where it was. */
  async startGateway(): Promise<void> {
    if (this.#ports.length === 0)
      this.#ports = await Promise.all(PORTS.map(async (flag) => `${flag}=${await findFreePort()}`));
    const flags = [
      ...NETWORK,
      ...FREE_PORTS.filter((flag) => !PORTS.includes(nameFlag(flag))),
      ...this.#ports,
      '--no-keeper',
      '--keyless-local-limit=100000',
    ];
    const [folder, environment] = [this.#folder, this.#environment];
    this.#banner = await this.#start('gateway', () =>
      startOwnInstance({ reason: 'is killed', flags, folder, environment }),
    );
    await this.admin('PUT', 'price-follower', { following: true });
  }

  async startKeepers(): Promise<void> {
    await Promise.all(KEEPERS.map((name) => this.startKeeper(name)));
  }

  async startKeeper(name: string): Promise<void> {
    const args = [
      'keeper',
      `--data-dir=${join(this.#folder, name)}`,
      `--rpc-url=${this.shown('Solana RPC')}`,
      `--rpc-ws-url=${this.shown('Solana WebSocket')}`,
      ...NETWORK.filter((flag) => nameFlag(flag) === '--blockhash-slots'),
      `--gas-keypair=${join(this.#folder, 'gas.json')}`,
      '--metrics-address=127.0.0.1:0',
      ...GAS,
    ];
    await this.#start(name, () => new Instance(args, this.#folder, this.#environment));
  }

  /** Ends a process, if it runs. Whoever ends it starts it again. */
  async end(name: string, signal: NodeJS.Signals): Promise<void> {
    const instance = this.#running.get(name);
    this.#running.delete(name);
    instance?.kill(signal);
    await instance?.ended();
  }

  /** Asks for something of the network's controls until the instance answers, and returns it. */
  admin(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const url = `${new URL(this.shown('Admin')).origin}/admin/v1/network${path === '' ? '' : `/${path}`}`;
    return vi.waitFor(async () => {
      const credential = readFileSync(join(this.#folder, '.sluice', 'operator-credential'), 'utf8').trim();
      const answer = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${credential}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return JSON.parse(text) as JsonObject;
    });
  }

  /** Gives lamports to a wallet. */
  async airdrop(wallet: string, lamports: number): Promise<void> {
    const call = { jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [wallet, lamports] };
    const answer = await fetch(this.shown('Solana RPC'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    const { error } = (await answer.json()) as { readonly error?: unknown };
    if (error !== undefined) throw new Error(`the airdrop was refused: ${JSON.stringify(error)}`);
  }

  /** Removes all that the instances keep in Valkey. Others may use the same server. */
  async emptyValkey(): Promise<void> {
    const redis = new Redis(this.#servers.valkeyUrl);
    try {
      const keys = await redis.keys(`${deriveNamespace(this.#servers.keySecret)}:*`);
      if (keys.length > 0) await redis.del(...keys);
    } finally {
      redis.disconnect();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.end(name, 'SIGKILL')));
    await Promise.all([this.databaseLine.close(), this.valkeyLine.close()]);
    await this.#servers.drop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Starts a process, and resolves with its banner. One that loses a connection while it starts says so and ends, and is
   * started again, as by whatever supervises it.
   */
  async #start(name: string, spawn: () => Instance): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const instance = spawn();
      this.#running.set(name, instance);
      try {
        const banner = await instance.ready();
        void instance.ended().then(({ code, signal }) => {
          if (this.#running.get(name) !== instance) return;
          this.#running.delete(name);
          this.defects.push(`${name} ended with ${code ?? signal}: ${instance.describe()}`);
        });
        return banner;
      } catch (error) {
        await instance.stop();
        if (attempt === MAX_STARTS) throw error;
      }
    }
  }
}

function nameFlag(flag: string): string {
  return flag.split('=')[0] ?? '';
}

function toPort(url: string, port: number): string {
  const own = new URL(url);
  own.port = String(port);
  return own.href;
}
