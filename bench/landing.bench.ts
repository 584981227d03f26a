import { request as ask, Agent } from 'node:http';
import { openTestReports } from '../src/testing/transactions/landing-reports.ts';
import { landing } from '../src/products/landing/index.ts';
import { startTestChain } from '../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { NO_METRICS, type Metrics } from '../src/common/ports/metrics.ts';
import { getProgramAuthority } from '../src/protocol/venue/aggregator-program.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import { signTransaction } from '../src/solana/messages/transaction.ts';
import { SYSTEM_PROGRAM } from '../src/solana/program-addresses.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import { createTestKeypair } from '../src/testing/chain/rpc-network.ts';
import { HttpLoad } from './http-load.ts';
import { type KeyedGateway, openKeyedGateway } from './keyed-gateway.ts';
import { latencyRow, quantileOf } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Landing';

const SLOT_MS = 100;
const CONNECTIONS = 16;
/** The two are measured alternately, so that other load on the machine affects both. The median round counts. */
const ROUNDS = 7;
/** An organisation may have 2,000 transactions in flight. */
const PER_ROUND = 1_500;
/** During the first thousands of transactions of a process, Node still compiles their code. */
const WARM_UP = 4_000;
const FIRST = 2_000;
const SINGLE = 6_000;
const MEDIAN_MS = 0.5;
const TAIL_MS = 2;
const MIN_SHARE = 0.5;
const RESULT = '"result":';

/** A gateway that lands on an embedded network in a thread of its own, and the observations of both. */
interface Setup {
  readonly chain: EmbeddedChain;
  readonly gateway: KeyedGateway;
  readonly payers: readonly Keypair[];
  /** When the last transaction was handed to the network, by the clock of this process. */
  readonly sentAt: () => number;
  readonly underWay: () => number;
}

export async function run(): Promise<readonly Row[]> {
  const chain = await startTestChain({ slotMs: SLOT_MS });
  const stored = await openTestReports();
  const onDefect = (error: unknown) => {
    throw error;
  };
  const reports = stored.open({ network: chain.genesisHash });
  const { metrics, underWay } = watchedMetrics();
  let sentAt = 0;
  const watched: EmbeddedChain = {
    ...chain,
    send: (...args) => {
      sentAt = performance.now();
      return chain.send(...args);
    },
  };
  const product = await landing.open({
    market: { chain: watched, lookupTables: { contentsOf: () => null } },
    landingReports: reports,
    sendEndpoints: [],
    blockhashSlots: 150,
    metrics,
    onDefect: (_where, error) => onDefect(error),
  });
  const gateway = await openKeyedGateway([product]);
  const payers = Array.from({ length: CONNECTIONS }, (_, index) => createTestKeypair(`bench payer ${index}`));
  await chain.setAccounts(payers.map(({ address }) => ({ address, account: wallet() })));
  try {
    const setup = { chain, gateway, payers, sentAt: () => sentAt, underWay };
    return [...(await untilSent(setup)), await shareOfDirect(setup)];
  } finally {
    await gateway.close();
    await product.close();
    await reports.close();
    await stored.cleanUp();
    await chain.close();
  }
}

/** Measures one transaction at a time, from the request until it is on its way to the network. */
async function untilSent(setup: Setup): Promise<readonly Row[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + SINGLE; index++) {
    const [body = ''] = bodies(setup, 1);
    const askedAt = performance.now();
    await post(setup, agent, body);
    times.push(setup.sentAt() - askedAt);
  }
  agent.destroy();
  await drained(setup);
  const ascending = (some: readonly number[]) => some.toSorted((one, other) => one - other);
  const first = ascending(times.slice(0, FIRST));
  return [
    latencyRow(
      `a transaction is submitted until it is on its way to the network, after ${WARM_UP} others`,
      ascending(times.slice(WARM_UP)),
      MEDIAN_MS,
      TAIL_MS,
    ),
    {
      what: `the same, the first ${FIRST} of a process`,
      measured: `${quantileOf(first, 0.5).toFixed(2)} ms / ${quantileOf(first, 0.99).toFixed(2)} ms`,
    },
  ];
}

async function shareOfDirect(setup: Setup): Promise<Row> {
  const { gateway, chain } = setup;
  const load = new HttpLoad();
  const rateAt = async (port: number, path: string, key: string) => {
    const requests = bodies(setup, PER_ROUND).map((body) => httpPost(path, key, body));
    const { milliseconds } = await load.send({ port, connections: CONNECTIONS, requests, success: RESULT });
    await drained(setup);
    return (PER_ROUND / milliseconds) * 1_000;
  };
  const rounds: { landed: number; direct: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const landed = await rateAt(gateway.port, '/tx/v1', gateway.key);
    rounds.push({ landed, direct: await rateAt(Number(new URL(chain.rpcUrl).port), '/', '') });
  }
  load.close();
  const sorted = rounds.slice(1).sort((one, other) => one.landed / one.direct - other.landed / other.direct);
  const { landed, direct } = sorted[Math.floor(sorted.length / 2)] ?? { landed: 0, direct: 1 };
  const share = landed / direct;
  return {
    what: `transactions accepted per second, ${CONNECTIONS} connections`,
    measured: `${share.toFixed(2)}, which is ${Math.round(landed)} of ${Math.round(direct)}`,
    against: '`sendTransaction` of the embedded network, called directly',
    atLeast: String(MIN_SHARE),
    ok: share >= MIN_SHARE,
  };
}

let serial = 0;

/** JSON-RPC requests, each with a transaction of its own that pays a tip. */
function bodies({ chain, payers }: Setup, howMany: number): string[] {
  const blockhash = chain.recentBlockhash().bytes;
  return Array.from({ length: howMany }, (_, id) => {
    const payer = payers[serial % payers.length] as Keypair;
    const tip = transferLamports(
      payer.address,
      getProgramAuthority(serial % 16),
      1_000_000n + BigInt(serial++),
    );
    const message = compileMessage({ feePayer: payer.address, blockhash, instructions: [tip] });
    const wire = Buffer.from(signTransaction(message, [payer])).toString('base64');
    const config = { encoding: 'base64', skipPreflight: true };
    return JSON.stringify({ jsonrpc: '2.0', id, method: 'sendTransaction', params: [wire, config] });
  });
}

function httpPost(path: string, key: string, body: string): string {
  const head = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json'];
  if (key !== '') head.push(`X-Api-Key: ${key}`);
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function post({ gateway: { port, key } }: Setup, agent: Agent, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  return new Promise((resolve, reject) => {
    const asked = ask(
      { host: '127.0.0.1', port, path: '/tx/v1', method: 'POST', agent, headers },
      (answer) => {
        let text = '';
        answer.on('data', (piece) => {
          text += String(piece);
        });
        answer.on('end', () => (text.includes(RESULT) ? resolve() : reject(new Error(text))));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Waits until everything has landed. */
async function drained({ underWay }: Setup): Promise<void> {
  while (underWay() > 0) await new Promise((resolve) => setTimeout(resolve, SLOT_MS));
}

/** Metrics that only report how many transactions are in flight. */
function watchedMetrics(): { readonly metrics: Metrics; readonly underWay: () => number } {
  let read: () => number = () => 0;
  const gauge: Metrics['gauge'] = (name, _help, of) => {
    if (name === 'sluice_landing_under_way') read = of as () => number;
  };
  return { metrics: { ...NO_METRICS, gauge }, underWay: () => read() };
}

function wallet() {
  const lamports = 1_000_000_000_000n;
  return { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
}
