import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  create,
  type DescMessage,
  type DescMethod,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import {
  Metadata,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
} from '@grpc/grpc-js';
import {
  MarketMakerIngestionService,
  QuoteUpdateSchema,
  SwapMessageType,
  SwapUpdateSchema,
  UpdateType,
} from '../src/gateway/grpc/generated/market_maker_pb.js';
import { type GrpcServer, startGrpc } from '../src/gateway/grpc/server.ts';
import { DEFAULT_BREAKER } from '../src/rfq/makers/maker-state.ts';
import type { MakerRecord } from '../src/rfq/makers/maker.ts';
import { openRfq, type Rfq } from '../src/rfq/index.ts';
import { MemoryAccounts, MemoryMakerStore, USDC } from '../src/testing/rfq/test-rfq.ts';
import { toAddress } from '../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { NO_METRICS } from '../src/common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { disablePretenuring } from '../src/cli/commands/start/v8-flags.ts';
import { MemoryRecords } from '../src/testing/rfq/makers.ts';
import { latencyRow, quantileOf } from './latency.ts';
import type { LoadOrder, LoadResult } from './rfq-load.ts';
import type { Row } from './row.ts';

export const title = 'Market makers';

const MAKERS = 20;
const MANY_MAKERS = 1_000;
const WINDOW = 32;
const ROUNDS = 3;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 3_000;
const STEADY_RATE = 5_000;
const HOST = '127.0.0.1';

/** Makers in another process send quotes over loopback to the whole server, except for the database and the network. */
export async function run(): Promise<readonly Row[]> {
  // Every instance does this when it starts.
  disablePretenuring();
  const memory = await memoryRow();
  const rates: Record<'server' | 'echo', number[]> = { server: [], echo: [] };
  const visible: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rates.echo.push((await againstEcho({ rate: null })).perSecond);
    rates.server.push((await againstServer(MAKERS, { rate: null }, visible)).perSecond);
  }
  const visibleAtFullLoad = [...visible];
  visible.length = 0;
  const steady: Record<'server' | 'echo', LoadResult[]> = { server: [], echo: [] };
  for (let round = 0; round < ROUNDS; round++) {
    steady.echo.push(await againstEcho({ rate: STEADY_RATE }));
    steady.server.push(await againstServer(MAKERS, { rate: STEADY_RATE }, visible));
  }
  return [
    shareRow(rates),
    ackRow(steady),
    visibleRow(`received to visible at ${STEADY_RATE} snapshots per second`, visible, true),
    visibleRow('received to visible at full load', visibleAtFullLoad, false),
    memory,
  ];
}

function shareRow(rates: Record<'server' | 'echo', number[]>): Row {
  const [server, echo] = [Math.max(...rates.server), Math.max(...rates.echo)];
  return {
    what: `snapshots per second, ${MAKERS} makers on ${MAKERS} connections, all checks and acks`,
    measured: `${(server / echo).toFixed(2)}, which is ${Math.round(server)} of ${Math.round(echo)}`,
    against: 'a bare echo server on the same library and messages',
    atLeast: '0.6',
    ok: server / echo >= 0.6,
  };
}

/** The median round counts. The echo server's figure shows the share of the library, the load and the machine. */
function ackRow({ server, echo }: Record<'server' | 'echo', LoadResult[]>): Row {
  const what = `ack at ${STEADY_RATE} snapshots per second`;
  const { measured } = latencyRow(what, medianRound(echo), 1, 6);
  return { ...latencyRow(what, medianRound(server), 1, 6), against: `the echo server: ${measured}` };
}

function medianRound(rounds: readonly LoadResult[]): readonly number[] {
  const tail = ({ latencies }: LoadResult) => quantileOf(latencies, 0.99);
  const sorted = rounds.toSorted((one, other) => tail(one) - tail(other));
  return sorted[Math.floor(sorted.length / 2)]?.latencies ?? [];
}

function visibleRow(what: string, times: number[], demanded: boolean): Row {
  const sorted = times.sort((one, other) => one - other);
  const p99 = quantileOf(sorted, 0.99);
  const measured = `${quantileOf(sorted, 0.5).toFixed(3)} ms / ${p99.toFixed(3)} ms`;
  const row = { what: `${what}: p50 / p99`, measured };
  return demanded ? { ...row, atLeast: 'p99 at most 1 ms', ok: p99 <= 1 } : row;
}

async function memoryRow(): Promise<Row> {
  const { server, rfq, makers } = await openServer(MANY_MAKERS, []);
  globalThis.gc?.();
  const idle = process.memoryUsage().rss;
  let most = idle;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 100);
  const { acknowledged } = await load({ port: server.port, makers, rate: MANY_MAKERS, measuredMs: 5_000 });
  clearInterval(watch);
  await rfq.close();
  await server.close();
  const megabytes = (most - idle) / 1024 ** 2;
  return {
    what: `memory above idle, ${MANY_MAKERS} makers connected and quoting once a second (${acknowledged} acks)`,
    measured: `${megabytes.toFixed(0)} MB`,
    atLeast: 'at most 250 MB',
    ok: megabytes <= 250,
  };
}

async function againstServer(
  count: number,
  order: Pick<LoadOrder, 'rate'>,
  visible: number[],
): Promise<LoadResult> {
  const { server, rfq, makers } = await openServer(count, visible);
  try {
    return await load({ port: server.port, makers, ...order });
  } finally {
    await rfq.close();
    await server.close();
  }
}

/**
 * Measures the cost of the library and its messages alone: they are decoded and encoded by the generated code, and
 * their content is ignored.
 */
async function againstEcho(order: Pick<LoadOrder, 'rate'>): Promise<LoadResult> {
  const server = new Server({ 'grpc.enable_channelz': 0 });
  server.addService(
    {
      StreamQuotes: bare(MarketMakerIngestionService.method.streamQuotes),
      StreamSwap: bare(MarketMakerIngestionService.method.streamSwap),
    },
    {
      StreamQuotes: (call: ServerDuplexStream<unknown, unknown>) => {
        call.sendMetadata(new Metadata());
        call.on('data', () => call.write(create(QuoteUpdateSchema, { updateType: UpdateType.UPDATED })));
      },
      StreamSwap: (call: ServerDuplexStream<unknown, unknown>) => {
        call.write(create(SwapUpdateSchema, { messageType: SwapMessageType.CONNECTION_READY }));
        call.resume();
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`${HOST}:0`, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  try {
    return await load({ port, makers: makersOf(new MemoryAccounts(), MAKERS).map(loaded), ...order });
  } finally {
    server.forceShutdown();
  }
}

function bare<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethod & { readonly input: Input; readonly output: Output },
): MethodDefinition<MessageShape<Input>, MessageShape<Output>> {
  return {
    path: `/${MarketMakerIngestionService.typeName}/${method.name}`,
    requestStream: true,
    responseStream: true,
    requestSerialize: (message) => withoutCopy(toBinary(method.input, message)),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (message) => withoutCopy(toBinary(method.output, message)),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

function withoutCopy({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

async function openServer(
  count: number,
  visible: number[],
): Promise<{ server: GrpcServer; rfq: Rfq; makers: LoadOrder['makers'] }> {
  const chain = new MemoryAccounts();
  chain.mint(WRAPPED_SOL_MINT, 9);
  chain.mint(USDC, 6);
  const records = makersOf(chain, count);
  const store = new MemoryMakerStore();
  const onDefect = (_where: unknown, error: unknown) => {
    throw error;
  };
  const stopwatch = () => performance.now();
  const rfq = await openRfq({
    chain,
    store,
    records: new MemoryRecords(),
    unhealthy: async () => null,
    timers: SYSTEM_TIMERS,
    deadlines: SYSTEM_TIMERS,
    breaker: DEFAULT_BREAKER,
    peers: null,
    metrics: NO_METRICS,
    stopwatch,
    onDefect,
  });
  rfq.setRecords(records);
  measureVisibility(rfq, visible);
  const server = await startGrpc({
    rfq,
    findMaker: (key) => rfq.makers.get(key),
    listen: { host: HOST, port: 0, setting: 'grpc-port' },
    tls: null,
    now: Date.now,
    stopwatch,
    every: () => () => undefined,
    onDefect: (error) => onDefect('grpc', error),
  });
  return { server, rfq, makers: records.map(loaded) };
}

/** Once the call that handed in a snapshot has returned, the next quote sees its book. */
function measureVisibility({ quoteStreams }: Rfq, visible: number[]): void {
  const open = quoteStreams.open.bind(quoteStreams);
  quoteStreams.open = (makerId, outgoing) => {
    const stream = open(makerId, outgoing);
    return {
      ...stream,
      received: (snapshot, at) => {
        stream.received(snapshot, at);
        if (visible.length < 200_000) visible.push(performance.now() - at);
      },
    };
  };
}

function makersOf(chain: MemoryAccounts, count: number): MakerRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = new Uint8Array(32).fill(7);
    new DataView(bytes.buffer).setUint32(0, index);
    const address = toAddress(bytes);
    chain.balance(address, WRAPPED_SOL_MINT, 10n ** 15n);
    chain.balance(address, USDC, 10n ** 15n);
    return { id: `maker-${index}`, name: null, address, pairs: null, enabled: true, createdAt: 0 };
  });
}

function loaded({ id, address }: MakerRecord): LoadOrder['makers'][number] {
  return { id, address, key: id };
}

async function load(
  order: Pick<LoadOrder, 'port' | 'makers' | 'rate'> & Partial<LoadOrder>,
): Promise<LoadResult> {
  const whole: LoadOrder = { window: WINDOW, warmUpMs: WARM_UP_MS, measuredMs: MEASURED_MS, ...order };
  const file = fileURLToPath(new URL('./rfq-load.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the load of makers ended with ${code}`);
  return JSON.parse(out);
}
