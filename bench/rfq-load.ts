import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { MarketMakerQuoteSchema } from '../src/gateway/grpc/generated/market_maker_pb.js';
import { PAIR } from '../src/testing/gateway/grpc-client.ts';

/** The bench's order to this process, as JSON in the first argument. */
export interface LoadOrder {
  readonly port: number;
  readonly makers: readonly { readonly id: string; readonly address: string; readonly key: string }[];
  /**
   * The most unacknowledged quotes of each maker. Without a rate, the next quote is sent as soon as one is
   * acknowledged.
   */
  readonly window: number;
  /** Quotes per second of all makers together; null for as many as are acknowledged. */
  readonly rate: number | null;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

/** The result, printed as one line of JSON. */
export interface LoadResult {
  readonly acknowledged: number;
  readonly perSecond: number;
  /** Milliseconds from a quote to its ack, ascending; of at most 100,000 quotes. */
  readonly latencies: readonly number[];
}

const SERVICE = '/market_maker.MarketMakerIngestionService/';
const HEADERS = { ':method': 'POST', te: 'trailers', 'content-type': 'application/grpc' };
const MAX_LATENCIES = 100_000;
const TICK_MS = 1;

/** Frames of gRPC written by hand over Node's HTTP/2: a client that is much lighter than the server it loads. */
class LoadMaker {
  readonly #session: ClientHttp2Session;
  readonly #rest: Uint8Array;
  readonly #key: string;
  readonly #onAck: (sentAt: number) => void;
  readonly #sentAt: number[] = [];
  #quotes: ClientHttp2Stream | null = null;
  #sequence = 0;
  /** The received bytes of an incomplete frame. */
  #pending: Buffer = Buffer.alloc(0);

  constructor(order: LoadOrder, index: number, onAck: (sentAt: number) => void) {
    const maker = order.makers[index];
    if (maker === undefined) throw new Error(`there is no maker ${index}`);
    this.#session = connect(`http://127.0.0.1:${order.port}`);
    this.#key = maker.key;
    this.#onAck = onAck;
    this.#rest = restOfQuote(maker.id, maker.address);
  }

  get underWay(): number {
    return this.#sentAt.length;
  }

  /** Resolves when both streams are open and the swap stream is ready. */
  async open(): Promise<void> {
    const swaps = this.#request('StreamSwap');
    await new Promise((resolve) => swaps.once('data', resolve));
    this.#quotes = this.#request('StreamQuotes');
    this.#quotes.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#quotes.on('end', () => process.exit(1));
  }

  send(count: number): void {
    const frames: Uint8Array[] = [];
    const now = performance.now();
    for (let i = 0; i < count; i++) {
      frames.push(frameOf(++this.#sequence, this.#rest));
      this.#sentAt.push(now);
    }
    this.#quotes?.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  #request(name: string): ClientHttp2Stream {
    const stream = this.#session.request({ ...HEADERS, ':path': SERVICE + name, 'x-api-key': this.#key });
    stream.on('error', (error) => {
      console.error(error);
      process.exit(1);
    });
    return stream;
  }

  #receive(chunk: Buffer): void {
    let at = 0;
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (bytes.length - at >= 5) {
      const length = bytes.readUInt32BE(at + 1);
      if (bytes.length - at < 5 + length) break;
      // Field 1, the type of update: accepted.
      if (bytes[at + 5] !== 8 || bytes[at + 6] !== 2) {
        console.error(`a quote was not accepted: ${bytes.subarray(at + 7, at + 5 + length).toString()}`);
        process.exit(1);
      }
      at += 5 + length;
      this.#onAck(this.#sentAt.shift() ?? Number.NaN);
    }
    this.#pending = bytes.subarray(at);
  }
}

/** A quote without its timestamp and sequence number, with five levels per side. */
function restOfQuote(makerId: string, makerAddress: string): Uint8Array {
  const side = (sign: bigint) =>
    [1n, 2n, 3n, 4n, 5n].map((n) => ({ price: 100_000_000n + sign * n * 10_000n, volume: n * 10n ** 9n }));
  const quote = create(MarketMakerQuoteSchema, {
    timestamp: 0n,
    sequenceNumber: 0n,
    quoteExpiryTime: 60n,
    makerId,
    makerAddress,
    lotSizeBase: 1_000n,
    cluster: 1,
    tokenPair: PAIR,
    bidLevels: side(-1n),
    askLevels: side(1n),
  });
  // The two zeros take four bytes at the front.
  return toBinary(MarketMakerQuoteSchema, quote).subarray(4);
}

function frameOf(sequence: number, rest: Uint8Array): Uint8Array {
  const head = [8, ...varint(BigInt(Date.now()) * 1_000n), 16, ...varint(BigInt(sequence))];
  const frame = Buffer.allocUnsafe(5 + head.length + rest.length);
  frame[0] = 0;
  frame.writeUInt32BE(head.length + rest.length, 1);
  frame.set(head, 5);
  frame.set(rest, 5 + head.length);
  return frame;
}

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return [...bytes, Number(left)];
}

async function run(order: LoadOrder): Promise<LoadResult> {
  let measuring = false;
  let acknowledged = 0;
  const latencies: number[] = [];
  const makers: LoadMaker[] = [];
  for (const index of order.makers.keys()) {
    const maker = new LoadMaker(order, index, (sentAt) => {
      if (measuring) {
        acknowledged++;
        if (latencies.length < MAX_LATENCIES) latencies.push(performance.now() - sentAt);
      }
      if (order.rate === null && maker.underWay <= order.window / 2)
        maker.send(order.window - maker.underWay);
    });
    makers.push(maker);
  }
  // A hundred at a time: all at once would overflow the listener's queue.
  for (let from = 0; from < makers.length; from += 100) {
    await Promise.all(makers.slice(from, from + 100).map((maker) => maker.open()));
  }
  if (order.rate === null) for (const maker of makers) maker.send(order.window);
  else sendSteadily(makers, order.rate);
  await pass(order.warmUpMs);
  measuring = true;
  const begin = performance.now();
  await pass(order.measuredMs);
  measuring = false;
  const perSecond = (acknowledged / (performance.now() - begin)) * 1_000;
  return { acknowledged, perSecond, latencies: latencies.sort((one, other) => one - other) };
}

/** Sends the quotes that are due by the clock, whether or not earlier ones were acknowledged. */
function sendSteadily(makers: readonly LoadMaker[], rate: number): void {
  const begin = performance.now();
  let sent = 0;
  setInterval(() => {
    const due = Math.floor(((performance.now() - begin) * rate) / 1_000);
    for (; sent < due; sent++) makers[sent % makers.length]?.send(1);
  }, TICK_MS);
}

function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const [order] = process.argv.slice(2);
if (order !== undefined) {
  const result = await run(JSON.parse(order));
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
}
