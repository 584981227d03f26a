import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { DEFAULT_SEED } from '../../src/protocol/genesis/keys.ts';
import { findFreePort } from '../../src/testing/free-port.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { environmentOf, HAS_SERVERS, openServers, type Servers } from './servers.ts';
import { SharedInstance } from './shared-instance.ts';
import { databaseText, valkeyText } from './stored-text.ts';

/**
 * What the end-to-end suites of platform, swap, market makers and secrets run on: their own files, or servers where the
 * tests have some. Suites of what no store has a part in run on embedded stores alone: starting and the command line
 * (`start`, `commands`), the embedded store's backups (`backup`), the network and an outside RPC (`stake-pool`,
 * `outside-rpc`), one instance's metrics, traces and loss of Valkey (`operation`). So do single tests that are about the
 * form of an answer, or about prices of the network.
 */
const DEPLOYMENTS = ['embedded stores', 'PostgreSQL and Valkey', 'two instances'] as const;
export type DeploymentKind = (typeof DEPLOYMENTS)[number];
export const TESTED_DEPLOYMENTS: readonly DeploymentKind[] = HAS_SERVERS ? DEPLOYMENTS : ['embedded stores'];

const NAMES = ['one', 'two', 'three'] as const;

const LOOKUP_TABLES = 'lookup-tables';
/** Of these ports each instance has the same one whenever it is started: clients and other instances know it. */
const KEPT_PORTS = { gateway: ['rest'], network: ['rpc', 'ws'] };
const NETWORK_PORTS = ['--rpc-port=0', '--ws-port=0'];
const GATEWAY_PORTS = FREE_PORTS.filter((flag) => !NETWORK_PORTS.includes(flag));

export interface DeploymentOptions {
  /** Why the deployment on embedded stores cannot be a shared instance. Without a reason, it is one. */
  readonly reason?: string;
  /** For every instance. */
  readonly flags?: readonly string[];
  /** For the one that carries the network. */
  readonly networkFlags?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

/** Of two flags with one name the later. */
function lastOfEach(flags: readonly string[]): readonly string[] {
  return [...new Map(flags.map((flag) => [flag.split('=', 1)[0], flag])).values()];
}

/** Instances that belong together, in a folder of their own. Requests go to them by turns. */
export class Deployment {
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-deployment-'));
  readonly #options: DeploymentOptions;
  readonly #servers: Servers | null;
  #shared: SharedInstance | null = null;
  readonly #instances: Instance[] = [];
  readonly #banners: string[] = [];
  /** The flags of the ports that each instance keeps. */
  readonly #ports: (readonly string[])[] = [];
  #turn = 0;

  private constructor(servers: Servers | null, options: DeploymentOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  static async open(kind: DeploymentKind, options: DeploymentOptions = {}): Promise<Deployment> {
    const servers = kind === 'embedded stores' ? null : await openServers();
    const deployment = new Deployment(servers, options);
    try {
      if (servers === null && options.reason === undefined) {
        await deployment.#share();
        return deployment;
      }
      for (let index = 0; index < (kind === 'two instances' ? 2 : 1); index++) await deployment.start(index);
      return deployment;
    } catch (error) {
      await deployment.close();
      throw error;
    }
  }

  get size(): number {
    return this.#banners.length;
  }

  async #share(): Promise<void> {
    if (Object.keys(this.#options).length > 0) throw new Error('a shared instance has the default settings');
    this.#shared = new SharedInstance();
    await this.#shared.open();
    this.#banners[0] = this.#shared.banner;
  }

  /**
   * Starts an instance, or starts it again where it was. The first one carries the network, and the others run on that
   * one's RPC.
   */
  async start(index: number, ...flags: readonly string[]): Promise<void> {
    if (this.#shared !== null) throw new Error('a shared instance is not started again');
    const place = index === 0 ? (this.#options.networkFlags ?? []) : await this.#networkOfTheFirst();
    this.#ports[index] ??= await findPortFlags(index === 0);
    const ports = this.#ports[index] ?? [];
    const { reason = 'keeps things in servers', flags: ofAll = [], environment = {} } = this.#options;
    const all = lastOfEach([
      ...GATEWAY_PORTS,
      ...ports,
      '--keyless-local-limit=30',
      ...place,
      ...ofAll,
      ...flags,
    ]);
    const instance = startOwnInstance({
      reason,
      flags: [`--data-dir=${NAMES[index]}`, ...all],
      folder: this.folder,
      environment: { ...environmentOf(this.#servers), ...environment },
    });
    try {
      this.#banners[index] = await instance.ready();
      this.#instances[index] = instance;
    } catch (error) {
      await instance.stop();
      throw error;
    }
  }

  /** With the same lookup tables: what fits a transaction is decided by them, and so what is quoted. */
  async #networkOfTheFirst(): Promise<readonly string[]> {
    const { buildGenesis } = await import('../../src/sandbox/genesis/build-genesis.ts');
    const tables = buildGenesis(DEFAULT_SEED).lookupTables.map(({ address }) => `${address}\n`);
    writeFileSync(join(this.folder, LOOKUP_TABLES), tables.join(''));
    return [
      `--rpc-url=${this.shown('Solana RPC')}`,
      `--rpc-ws-url=${this.shown('Solana WebSocket')}`,
      `--rpc-lookup-table=${LOOKUP_TABLES}`,
    ];
  }

  instance(index: number): Instance {
    const instance = this.#instances[index];
    if (instance === undefined) throw new Error(`there is no instance ${index}`);
    return instance;
  }

  /** What the instance's banner prints after `name`. */
  shown(name: string, index = 0): string {
    return bannerValue(this.#banners[index] ?? '', name);
  }

  /** The REST address of the instance whose turn it is. */
  rest(): string {
    return this.shown('REST', this.#turn++ % this.size);
  }

  ask(path: string, key?: string, rest = this.rest()): Promise<Response> {
    return fetch(`${rest}${path}`, { headers: key === undefined ? {} : { 'x-api-key': key } });
  }

  async statusOf(path: string, key?: string, rest?: string): Promise<number> {
    const response = await this.ask(path, key, rest);
    await response.arrayBuffer();
    return response.status;
  }

  /** Resolves when every instance answers so: on a machine that is not overloaded, within 15 seconds of a change. */
  async everywhere(path: string, key: string, status: number): Promise<void> {
    for (let index = 0; index < this.size; index++) {
      const rest = this.shown('REST', index);
      const answers = async () => expect(await this.statusOf(path, key, rest)).toBe(status);
      await vi.waitFor(answers, { interval: 250 });
    }
  }

  /** A command for the first instance; resolves to what it prints. */
  async sluice(...args: readonly string[]): Promise<string> {
    const { port } = new URL(this.shown('Admin'));
    const { code, out, error } = await runCommand(
      [...args, `--admin-port=${port}`, `--data-dir=${this.#dataFolder(0)}`],
      this.folder,
    );
    expect(code, error + out).toBe(0);
    return out.trim();
  }

  /** Asks the admin interface of an instance, as its operator. */
  async admin(index: number, path: string, init: RequestInit = {}): Promise<string> {
    const file = join(this.#dataFolder(index), 'operator-credential');
    const response = await fetch(`${new URL(this.shown('Admin', index)).origin}${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` },
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  }

  #dataFolder(index: number): string {
    if (this.#shared !== null) return join(this.#shared.folder, '.sluice');
    return join(this.folder, NAMES[index] ?? '');
  }

  /** Every file that the instances wrote. */
  files(): readonly { readonly path: string; readonly content: Buffer }[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path, content: readFileSync(path) }));
  }

  /** What the instances keep elsewhere than in files. */
  async inServers(): Promise<readonly { readonly path: string; readonly content: Buffer }[]> {
    if (this.#servers === null) return [];
    const { databaseUrl, valkeyUrl, keySecret } = this.#servers;
    const [database, valkey] = [await databaseText(databaseUrl), await valkeyText(valkeyUrl, keySecret)];
    expect(database).toContain('api_keys');
    expect(valkey).toContain('sluice:');
    return [
      { path: 'PostgreSQL', content: Buffer.from(database) },
      { path: 'Valkey', content: Buffer.from(valkey) },
    ];
  }

  async close(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.stop()));
    await this.#shared?.close();
    await this.#servers?.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function findPortFlags(carriesNetwork: boolean): Promise<readonly string[]> {
  const flags = [];
  for (const name of [...KEPT_PORTS.gateway, ...(carriesNetwork ? KEPT_PORTS.network : [])])
    flags.push(`--${name}-port=${await findFreePort()}`);
  return flags;
}
