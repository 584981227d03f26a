import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type Keypair, parseKeypairFile } from '../../src/solana/keypair.ts';
import {
  addSignatures,
  isSignedBy,
  parseTransaction,
  getTransactionSignature,
} from '../../src/solana/messages/transaction.ts';
import { type HttpFault, RpcProxy } from '../rpc-proxy.ts';
import { TESTED_DEPLOYMENTS } from './deployment.ts';
import { findFreePort } from '../../src/testing/free-port.ts';
import { bannerValue, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { environmentOf, openServers, type Servers } from './servers.ts';
import { SharedInstance } from './shared-instance.ts';

export const SOL = 'So11111111111111111111111111111111111111112';
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WAIT = { interval: 50 };

type Json = Record<string, unknown>;

interface Started {
  readonly instance: Instance;
  readonly banner: string;
}

/** What the gateways keep things in: their own files, or PostgreSQL and Valkey where the tests have some. */
export type StoresKind = 'embedded stores' | 'two instances';
export const TESTED_STORES: readonly StoresKind[] = TESTED_DEPLOYMENTS.filter(
  (kind): kind is StoresKind => kind !== 'PostgreSQL and Valkey',
);

const folderOf = (index: number) => `gateway-${index}`;

/** An order that its taker has signed. */
export interface SignedOrder {
  readonly request: string;
  readonly signature: string;
  readonly inAmount: string;
  readonly outAmount: string;
}

/**
 * A gateway over the RPC of a network that outlives it. A proxy between the two holds back single transactions, so that
 * a fill stays at the step at which a test injects a fault.
 */
export class FaultWorld {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-faults-'));
  readonly #servers: Servers | null;
  readonly #gatewayFlags: readonly string[];
  readonly #network = new SharedInstance();
  readonly #gateways: Started[] = [];
  /** The flags of the ports that each gateway has whenever it is started. */
  readonly #ports: (readonly string[])[] = [];
  /** The index of the gateway that clients use. */
  #current = 0;
  #rpc: RpcProxy | null = null;
  /** Transactions, by their signature, that the gateway wanted to send. */
  readonly tried = new Set<string>();
  /** Signed transactions whose simulation the network has answered. */
  readonly simulated = new Set<string>();
  /** Those that are not forwarded to the network. */
  readonly held = new Set<string>();
  /** Those whose status is withheld from the gateway. */
  readonly unseen = new Set<string>();

  private constructor(servers: Servers | null, gatewayFlags: readonly string[]) {
    this.#servers = servers;
    this.#gatewayFlags = gatewayFlags;
  }

  /** @param gatewayFlags of every gateway, beside those that this class sets */
  static async open(stores: StoresKind, gatewayFlags: readonly string[] = []): Promise<FaultWorld> {
    const servers = stores === 'two instances' ? await openServers() : null;
    const world = new FaultWorld(servers, gatewayFlags);
    try {
      await world.#network.open();
      const [rpcUrl = '', wsUrl = ''] = ['Solana RPC', 'Solana WebSocket'].map((name) =>
        world.ofNetwork(name),
      );
      world.#rpc = await RpcProxy.start({ rpcUrl, wsUrl });
      world.#rpc.onCall = (method, params) => world.#onCall(method, params);
      await world.startGateway();
      if (servers !== null) await world.startGateway(1);
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** Starts it again, after it was killed, on the same folder and ports. */
  async startGateway(index = 0): Promise<void> {
    this.#ports[index] ??= await findPortFlags();
    const ports = this.#ports[index] ?? [];
    const at = [`--rpc-url=${this.#rpc?.rpcUrl}`, `--rpc-ws-url=${this.#rpc?.wsUrl}`, '--rpc-poll-ms=100'];
    const flags = [`--data-dir=${folderOf(index)}`, '--demo-maker=false', ...ports, ...at];
    const instance = startOwnInstance({
      reason: 'runs over the RPC of another, and is killed or paused',
      flags: [...flags, ...this.#gatewayFlags],
      folder: this.#folder,
      environment: environmentOf(this.#servers),
    });
    this.#gateways[index] = { instance, banner: await instance.ready() };
  }

  /** Kills the one that everybody talks to. */
  async killGateway(): Promise<void> {
    const { instance } = this.#gateway();
    instance.kill('SIGKILL');
    await instance.ended();
  }

  /** Stops the one that everybody talks to, as a long pause would, until `continueGateway`. */
  pauseGateway(): void {
    this.#gateway().instance.kill('SIGSTOP');
  }

  continueGateway(): void {
    this.#gateway().instance.kill('SIGCONT');
  }

  /** From now on everybody talks to that gateway. */
  turnTo(index: number): void {
    this.#current = index;
  }

  #gateway(): Started {
    const gateway = this.#gateways[this.#current];
    if (gateway === undefined) throw new Error(`there is no gateway ${this.#current}`);
    return gateway;
  }

  ofNetwork(name: string): string {
    return this.#network.shown(name);
  }

  ofGateway(name: string): string {
    return bannerValue(this.#gateway().banner, name);
  }

  get grpcPort(): number {
    return Number(new URL(this.ofGateway('Makers \\(gRPC\\)')).port);
  }

  /** The admin interface of one of the two, as its operator. */
  async admin(of: 'network' | 'gateway', method: string, path: string, body?: Json): Promise<Json> {
    if (of === 'network') return this.#network.admin(method, path, body);
    const folder = join(this.#folder, folderOf(this.#current));
    const credential = readFileSync(join(folder, 'operator-credential'), 'utf8').trim();
    const response = await fetch(`${new URL(this.ofGateway('Admin')).origin}/admin/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Json;
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer;
  }

  /** While it is congested, the network takes transactions in and includes none. */
  async congest(isCongested: boolean): Promise<void> {
    await this.admin('network', 'PUT', 'network/faults', isCongested ? { congestion: '1000000000000' } : {});
  }

  /** An order of SOL for USDC, signed by the demo wallet. */
  async order(amount: bigint): Promise<SignedOrder & { readonly labels: readonly string[] }> {
    const query = { inputMint: SOL, outputMint: USDC, amount: String(amount), taker: this.taker.address };
    const order = await this.#call(`order?${new URLSearchParams(query)}`);
    expect(order, JSON.stringify(order)).toHaveProperty('transaction');
    const unsigned = parseTransaction(Buffer.from(String(order.transaction), 'base64'));
    const wire = addSignatures(unsigned, [this.taker]);
    const plan = order.routePlan as { readonly swapInfo: { readonly label: string } }[];
    const signedTransaction = Buffer.from(wire).toString('base64');
    return {
      request: JSON.stringify({ signedTransaction, requestId: order.requestId }),
      signature: getTransactionSignature(parseTransaction(wire)),
      inAmount: String(order.inAmount),
      outAmount: String(order.outAmount),
      labels: plan.map(({ swapInfo }) => swapInfo.label),
    };
  }

  /** Null when the gateway is gone before it answers. */
  execute({ request }: SignedOrder): Promise<Json | null> {
    return this.#call('execute', { method: 'POST', body: request }).catch(() => null);
  }

  get taker(): Keypair {
    return parseKeypairFile(readFileSync(this.ofNetwork('its key'), 'utf8'));
  }

  /** What the network itself says, without the proxy. */
  async isConfirmed(signature: string): Promise<boolean> {
    const found = await this.#ask('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]);
    const [status] = found.value as ({ readonly confirmationStatus: string; readonly err: unknown } | null)[];
    return status !== null && status?.err === null && status.confirmationStatus !== 'processed';
  }

  /** Atoms of the mint that a wallet has. */
  async holding(owner: string, mint: string): Promise<bigint> {
    const options = { encoding: 'jsonParsed', commitment: 'confirmed' };
    const found = await this.#ask('getTokenAccountsByOwner', [owner, { mint }, options]);
    const accounts = found.value as {
      account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } };
    }[];
    return accounts.reduce(
      (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
      0n,
    );
  }

  async until(what: () => boolean | Promise<boolean>): Promise<void> {
    await vi.waitFor(async () => expect(await what()).toBe(true), WAIT);
  }

  async close(): Promise<void> {
    await Promise.all(this.#gateways.map(({ instance }) => instance.stop()));
    await this.#rpc?.close();
    await this.#network.close();
    await this.#servers?.drop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #call(path: string, init?: RequestInit): Promise<Json> {
    const response = await fetch(`${this.ofGateway('REST')}/swap/v2/${path}`, {
      ...init,
      headers: { 'x-api-key': this.ofGateway('API key'), 'content-type': 'application/json' },
    });
    return (await response.json()) as Json;
  }

  async #ask(method: string, params: unknown[]): Promise<Json> {
    const response = await fetch(this.ofNetwork('Solana RPC'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { readonly result: Json }).result;
  }

  #onCall(method: string, params: unknown): HttpFault {
    const [first] = params as [unknown];
    if (method === 'sendTransaction') {
      const signature = getTransactionSignature(parseTransaction(Buffer.from(String(first), 'base64')));
      this.tried.add(signature);
      return this.held.has(signature) ? { kind: 'drop' } : { kind: 'pass' };
    }
    if (method === 'simulateTransaction') {
      const transaction = parseTransaction(Buffer.from(String(first), 'base64'));
      if (!isSignedBy(transaction, 0)) return { kind: 'pass' };
      const signature = getTransactionSignature(transaction);
      const change = (answer: string) => {
        this.simulated.add(signature);
        return answer;
      };
      return { kind: 'change', change };
    }
    if (method !== 'getSignatureStatuses') return { kind: 'pass' };
    const hidden = (first as string[]).map((signature) => this.unseen.has(signature));
    if (!hidden.includes(true)) return { kind: 'pass' };
    const change = (answer: string) => {
      const parsed = JSON.parse(answer) as { readonly result: { value: unknown[] } };
      parsed.result.value = parsed.result.value.map((status, index) =>
        hidden[index] === true ? null : status,
      );
      return JSON.stringify(parsed);
    };
    return { kind: 'change', change };
  }
}

async function findPortFlags(): Promise<readonly string[]> {
  const flags = [];
  for (const name of ['rest', 'admin', 'grpc']) flags.push(`--${name}-port=${await findFreePort()}`);
  return flags;
}
