import { ALICE } from '../../src/testing/chain/bank.ts';
import { computeBlockhashSlots, startTestChain } from '../../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../../src/chain/embedded/network.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { openTestReports } from '../../src/testing/transactions/landing-reports.ts';
import { NO_METRICS } from '../../src/common/ports/metrics.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { ExtraPorts } from '../../src/gateway/http/extra-ports.ts';
import { listen } from '../../src/gateway/http/listen.ts';
import { createLogger } from '../../src/gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../src/gateway/limits/rate-limiter.ts';
import { closeServer } from '../../src/gateway/server/server.ts';
import { getProgramAuthority } from '../../src/protocol/venue/aggregator-program.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Keypair } from '../../src/solana/keypair.ts';
import { compileMessage } from '../../src/solana/messages/compile-message.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { signTransaction } from '../../src/solana/messages/transaction.ts';
import { transferLamports } from '../../src/solana/programs/system.ts';
import { DEFAULT_BOUNDS } from '../../src/testing/server-bounds.ts';
import { LANDING_PATH, landing, type LandingDependencies } from '../../src/products/landing/index.ts';
import { SYSTEM_TIMERS } from '../../src/common/ports/timers.ts';

const SLOT_MS = 50;

export const TIP_ACCOUNT = getProgramAuthority(3);
export const TIP = 1_000_000n;
/** The key of an organisation that has no limits. */
export const KEY = 'jup_key_of_acme';

/** An embedded network and a gateway that lands transactions on it. */
export interface LandingWorld {
  readonly chain: EmbeddedChain;
  /** The REST interface. */
  readonly url: string;
  /** The port for landing alone. */
  readonly landingUrl: string;
  /** Signs instructions with the newest blockhash. */
  readonly sign: (instructions: readonly Instruction[], payer?: Keypair) => Uint8Array;
  /** Posts JSON. @returns status and JSON of the answer */
  readonly post: (
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ status: number; headers: Headers; json: Record<string, unknown> }>;
  readonly lamports: (address: Address) => Promise<bigint>;
  readonly close: () => Promise<void>;
}

/** @param changed replaces dependencies of the product */
export async function openLandingWorld(
  changed: (chain: EmbeddedChain) => Partial<LandingDependencies> = () => ({}),
): Promise<LandingWorld> {
  const chain = await startTestChain({ slotMs: SLOT_MS });
  const stored = await openTestReports();
  const landingReports = stored.open({ network: chain.genesisHash });
  const product = await landing.open({
    market: { chain, lookupTables: { contentsOf: () => null } },
    landingReports,
    sendEndpoints: [],
    blockhashSlots: computeBlockhashSlots(SLOT_MS),
    metrics: NO_METRICS,
    onDefect: (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
    ...changed(chain),
  });
  const extraPorts = new ExtraPorts();
  const app = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: (key) => (key === KEY ? ACME : null),
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: SYSTEM_TIMERS.now,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [product],
    extraPorts,
  });
  const url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
  const landingUrl = await extraPorts.listen(app, {
    host: '127.0.0.1',
    port: 0,
    setting: 'landing-address',
    path: LANDING_PATH,
  });
  return {
    chain,
    url,
    landingUrl,
    sign: (instructions, payer = ALICE) => signedBy(chain, payer, instructions),
    post: async (path, body, headers = {}) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const json = (await response.json()) as Record<string, unknown>;
      return { status: response.status, headers: response.headers, json };
    },
    lamports: async (address) => {
      const [found] = await chain.getAccounts([address], 'processed');
      return found?.account?.lamports ?? 0n;
    },
    close: async () => {
      await closeServer(app);
      await product.close();
      await landingReports.close();
      await stored.cleanUp();
      await chain.close();
    },
  };
}

const ACME = {
  id: 'k',
  name: 'k',
  teamId: 't',
  organisationId: 'acme',
  rules: null,
  limits: { main: 1_000_000, execute: 1_000_000, submit: 1_000_000 },
  products: null,
  expiresAt: null,
};

/** Signs instructions with the newest blockhash. */
export function signedBy(
  chain: Pick<Chain, 'recentBlockhash'>,
  payer: Keypair,
  instructions: readonly Instruction[],
): Uint8Array {
  const blockhash = chain.recentBlockhash().bytes;
  return signTransaction(compileMessage({ feePayer: payer.address, blockhash, instructions }), [payer]);
}

export function tipFrom(payer: Keypair = ALICE, lamports = TIP, receiver = TIP_ACCOUNT): Instruction {
  return transferLamports(payer.address, receiver, lamports);
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** A JSON-RPC request that submits a transaction. */
export function rpcRequest(wire: Uint8Array | string, id: unknown = 1, config?: unknown) {
  const transaction = typeof wire === 'string' ? wire : base64(wire);
  const params = config === undefined ? [transaction] : [transaction, config];
  return { jsonrpc: '2.0', id, method: 'sendTransaction', params };
}
