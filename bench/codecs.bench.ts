import { randomBytes } from 'node:crypto';
import {
  getBase58Decoder,
  getBase58Encoder,
  getBooleanDecoder,
  getI32Decoder,
  getStructDecoder,
  getU16Decoder,
  getU64Decoder,
  getU128Decoder,
} from '@solana/kit';
import { Histogram, Registry } from 'prom-client';
import { createBucketHistogram } from '../src/gateway/metrics/buckets.ts';
import { decodeBase58Exactly, encodeBase58 } from '../src/solana/encoding/base58.ts';
import { ByteReader } from '../src/solana/codec/byte-reader.ts';
import type { Row } from './row.ts';

export const title = 'Codecs and histograms';

const VALUES = 1_000;
const CALLS = 200_000;
const ROUNDS = 5;

export async function run(): Promise<readonly Row[]> {
  return [...base58(32, 'addresses'), ...base58(64, 'signatures'), reader(), histogram()];
}

function base58(length: 32 | 64, what: string): Row[] {
  const bytes = Array.from({ length: VALUES }, () => new Uint8Array(randomBytes(length)));
  const texts = bytes.map(encodeBase58);
  // Kit calls the function that turns bytes into text a decoder.
  const kitToText = getBase58Decoder();
  const kitToBytes = getBase58Encoder();
  return [
    compared(`base58 text of ${what}`, '@solana/kit', {
      own: rate((i) => encodeBase58(at(bytes, i))),
      library: rate((i) => kitToText.decode(at(bytes, i)), CALLS / 10),
    }),
    compared(`${what} from base58 text`, '@solana/kit', {
      own: rate((i) => decodeBase58Exactly(at(texts, i), length)),
      library: rate((i) => kitToBytes.encode(at(texts, i)), CALLS / 10),
    }),
  ];
}

/** A record of the size and kinds that pools have. */
function reader(): Row {
  const records = Array.from({ length: VALUES }, () => {
    const record = new Uint8Array(randomBytes(79));
    record[0] = 1;
    return record;
  });
  const kit = getStructDecoder([
    ['open', getBooleanDecoder()],
    ['fee', getU16Decoder()],
    ['tick', getI32Decoder()],
    ['liquidity', getU128Decoder()],
    ['price', getU128Decoder()],
    ['one', getU64Decoder()],
    ['other', getU64Decoder()],
    ['oneFee', getU64Decoder()],
    ['otherFee', getU64Decoder()],
    ['time', getU64Decoder()],
  ]);
  return compared('records of ten fields, read', '@solana/kit', {
    own: rate((i) => {
      const from = new ByteReader(at(records, i), 'record');
      return {
        open: from.bool(),
        fee: from.u16(),
        tick: from.i32(),
        liquidity: from.u128(),
        price: from.u128(),
        one: from.u64(),
        other: from.u64(),
        oneFee: from.u64(),
        otherFee: from.u64(),
        time: from.u64(),
      };
    }),
    library: rate((i) => kit.decode(at(records, i)), CALLS / 4),
  });
}

/** The labels are known in advance, as those of an answered request are. */
function histogram(): Row {
  const options = {
    name: 'bench_seconds',
    help: 'Seconds.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    labelNames: ['endpoint', 'method', 'status'],
  };
  const labels = { endpoint: '/swap/v2/build', method: 'GET', status: '200' };
  const own = createBucketHistogram(options).bind(labels);
  const library = new Histogram({ ...options, registers: [new Registry()] }).labels(labels);
  const seconds = Array.from({ length: VALUES }, (_, i) => ((i * 7_919) % 100_000) / 1_000_000);
  return compared('times counted in a histogram with three labels', 'prom-client', {
    own: rate((i) => own(at(seconds, i))),
    library: rate((i) => library.observe(at(seconds, i))),
  });
}

function compared(
  what: string,
  name: string,
  { own, library }: { readonly own: number; readonly library: number },
): Row {
  return {
    what,
    measured: `${perSecond(own)} (${(own / library).toFixed(1)}×)`,
    against: `${name} ${perSecond(library)}`,
    atLeast: 'twice the library',
    ok: own >= 2 * library,
  };
}

/** Calls per second in the fastest of several rounds, which other load on the machine disturbed least. */
function rate(call: (i: number) => unknown, calls = CALLS): number {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    for (let i = 0; i < calls; i++) call(i);
    best = Math.max(best, (calls * 1_000) / (performance.now() - begin));
  }
  return best;
}

function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`;
}

function at<T>(values: readonly T[], i: number): T {
  return values[i % values.length] as T;
}
