import fc from 'fast-check';
import { expect, it } from 'vitest';
import { raydiumCpmm } from '../../../src/market/venues/raydium-cpmm/index.ts';
import { swapBaseInput, swapBaseOutput } from '../../../src/market/venues/raydium-cpmm/instructions.ts';
import type { AmmConfig, PoolAccount, Sides } from '../../../src/market/venues/raydium-cpmm/layout.ts';
import type { Quote } from '../../../src/market/venue.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type Encoded, type Outcome, TestNetwork } from '../../../test/svm/network.ts';
import {
  type Fee,
  layOut,
  type Pool,
  type Token,
  token,
  withTransferFee,
  writeMint,
  writePool,
  writePoolAccounts,
  writeTokenAccount,
} from './fixture.ts';

const SEED = 20_261_121;
const CASES = 12_000;
const EPOCH = 500n;
const NOW = 1_800_000_000n;
const MILLION = 1_000_000n;

type Kind = 'spl' | 'token-2022' | 'transfer fee';
type FeeSchedule = readonly [older: Fee, newer: Fee & { readonly epoch: bigint }];

interface Case {
  readonly kinds: Sides<Kind>;
  readonly schedules: Sides<FeeSchedule>;
  readonly vaultAmounts: Sides<bigint>;
  readonly config: Partial<AmmConfig>;
  readonly pool: Partial<PoolAccount>;
  readonly inputSide: 0 | 1;
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
}

/** As often small as large, since rounding shows in small numbers. */
const upTo = (bits: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.integer({ min: 0, max: bits }), fc.bigInt(0n, (1n << BigInt(bits)) - 1n))
    .map(([shift, value]) => value >> BigInt(shift));

const kind: fc.Arbitrary<Kind> = fc.constantFrom('spl', 'spl', 'token-2022', 'transfer fee', 'transfer fee');
const fee: fc.Arbitrary<Fee> = fc.record({
  basisPoints: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 1000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(1, 9999, 10_000) },
  ),
  maximumFee: fc.oneof(fc.constant(U64_MAX), fc.constant(0n), upTo(40)),
});
const schedule: fc.Arbitrary<FeeSchedule> = fc.tuple(
  fee,
  fc.record({
    basisPoints: fc.integer({ min: 0, max: 500 }),
    maximumFee: fc.oneof(fc.constant(U64_MAX), upTo(40)),
    epoch: fc.constantFrom(0n, EPOCH - 1n, EPOCH, EPOCH + 1n),
  }),
);
const config = fc
  .record({
    tradeFeeRate: fc.oneof(
      fc.constantFrom(0n, 1n, 2500n),
      fc.bigInt(0n, 20_000n),
      fc.bigInt(0n, MILLION - 1n),
    ),
    creatorFeeRate: fc.oneof(fc.constantFrom(0n, 500n), fc.bigInt(0n, 20_000n), fc.bigInt(0n, MILLION - 1n)),
    protocolFeeRate: fc.bigInt(0n, MILLION),
    fundFeeRate: fc.bigInt(0n, MILLION),
  })
  .map((rates) => ({
    ...rates,
    creatorFeeRate: rates.creatorFeeRate % (MILLION - rates.tradeFeeRate),
    fundFeeRate: rates.fundFeeRate % (MILLION - rates.protocolFeeRate + 1n),
  }));
const pair = <T>(each: fc.Arbitrary<T>) => fc.tuple(each, each);

const anyCase: fc.Arbitrary<Case> = fc
  .record({
    kinds: pair(kind),
    schedules: pair(schedule),
    vaultAmounts: pair(
      fc.oneof(
        { weight: 9, arbitrary: fc.bigInt(1n, (1n << 61n) - 1n) },
        { weight: 9, arbitrary: upTo(60).map((value) => value + 1n) },
      ),
    ),
    config,
    /** Of each vault, in millionths: for protocol, fund and creator. The last case leaves the pool nothing. */
    owed: pair(
      fc.oneof(
        { weight: 20, arbitrary: fc.constant([0n, 0n, 0n]) },
        { weight: 20, arbitrary: fc.array(fc.bigInt(0n, 300_000n), { minLength: 3, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant([MILLION, 0n, 0n]) },
      ),
    ),
    creatorFeeOn: fc.integer({ min: 0, max: 2 }),
    creatorFeeEnabled: fc.boolean(),
    status: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(0, 3) }, fc.integer({ min: 0, max: 7 })),
    opensIn: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(0n, -1n) }, fc.constant(1n)),
    inputSide: fc.constantFrom<0 | 1>(0, 1),
    exact: fc.constantFrom<'in' | 'out'>('in', 'out'),
    /** Null: a share of a reserve, or, if `nearReserve` is given, so far from all of it. */
    amount: fc.oneof(
      { weight: 30, arbitrary: fc.constant(null) },
      { weight: 4, arbitrary: upTo(62) },
      { weight: 2, arbitrary: fc.bigInt(0n, 20n) },
      { weight: 1, arbitrary: fc.constant(U64_MAX) },
    ),
    share: fc.oneof(fc.bigInt(0n, MILLION), fc.bigInt(0n, 1000n)),
    nearReserve: fc.oneof(
      { weight: 14, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.bigInt(-3n, 3n) },
    ),
  })
  .map(({ owed, creatorFeeOn, creatorFeeEnabled, status, opensIn, nearReserve, share, ...rest }) => {
    const fees = (whose: number): Sides<bigint> => [
      (rest.vaultAmounts[0] * (owed[0][whose] ?? 0n)) / MILLION,
      (rest.vaultAmounts[1] * (owed[1][whose] ?? 0n)) / MILLION,
    ];
    const [protocolFees, fundFees, creatorFees] = [fees(0), fees(1), fees(2)];
    const side = rest.exact === 'in' || rest.inputSide === 1 ? 0 : 1;
    const reserve = rest.vaultAmounts[side] - protocolFees[side] - fundFees[side] - creatorFees[side];
    const near = nearReserve === null ? (reserve * share) / MILLION : reserve + nearReserve;
    return {
      ...rest,
      amount: rest.amount ?? (near < 0n ? 0n : near),
      pool: {
        protocolFees,
        fundFees,
        creatorFees,
        creatorFeeOn,
        creatorFeeEnabled,
        status,
        openTime: NOW + opensIn,
      },
    };
  });

interface EncodedSwap extends Encoded {
  readonly amounts: DataView;
}

/** One pool per pair of kinds, laid out once; each case then rewrites its accounts. */
class Bench {
  readonly network = new TestNetwork(['constant-product']);
  readonly #pools = new Map<string, Pool>();
  readonly #swaps = new Map<string, EncodedSwap>();

  constructor() {
    this.network.setUnixTime(NOW);
    this.network.setEpoch(EPOCH);
  }

  /** The swap's transaction, encoded once per pool and direction: only its two amounts change. */
  swap(pool: Pool, { kinds, inputSide, exact }: Case, first: bigint, second: bigint): Outcome {
    const name = `${kinds.join(' ')} ${inputSide} ${exact}`;
    let encoded = this.#swaps.get(name);
    if (encoded === undefined) {
      encoded = this.#encode(pool, inputSide, exact);
      this.#swaps.set(name, encoded);
    }
    encoded.amounts.setBigUint64(0, first, true);
    encoded.amounts.setBigUint64(8, second, true);
    return this.network.sendEncoded(encoded);
  }

  #encode({ addresses, user }: Pool, inputSide: 0 | 1, exact: 'in' | 'out'): EncodedSwap {
    const outputSide = inputSide === 0 ? 1 : 0;
    const parties = {
      authority: user.owner,
      source: user.tokens[inputSide],
      destination: user.tokens[outputSide],
    };
    const build = exact === 'in' ? swapBaseInput : swapBaseOutput;
    const instruction = build(addresses, addresses.mints[inputSide], parties, 0n, 0n);
    const encoded = this.network.encode([instruction]);
    const at = Buffer.from(encoded.wire).indexOf(instruction.data);
    if (at < 0) throw new Error('the transaction does not have the instruction in it');
    return { ...encoded, amounts: new DataView(encoded.wire.buffer, encoded.wire.byteOffset + at + 8, 16) };
  }

  write(each: Case): Pool {
    const tokens = this.#tokens(each);
    const pool = { ...this.#pool(each.kinds, tokens), tokens };
    writePoolAccounts(this.network, pool, each);
    for (const side of [0, 1] as const) {
      if (each.kinds[side] === 'transfer fee') writeMint(this.network, tokens[side]);
      const amount = side === each.inputSide ? U64_MAX - each.vaultAmounts[side] : 1n;
      writeTokenAccount(this.network, pool.user.tokens[side], pool.user.owner, tokens[side], amount);
    }
    return pool;
  }

  #tokens({ kinds, schedules }: Case): Sides<Token> {
    const each = (side: 0 | 1): Token => {
      const extensions = kinds[side] === 'transfer fee' ? [withTransferFee(...schedules[side])] : [];
      return token(
        `${kinds.join(' ')} ${NAMES.get(kinds.join(' '))?.[side]}`,
        extensions,
        kinds[side] !== 'spl',
      );
    };
    return [each(0), each(1)];
  }

  #pool(kinds: Sides<Kind>, tokens: Sides<Token>): Pool {
    const name = kinds.join(' ');
    const known = this.#pools.get(name);
    if (known !== undefined) return known;
    const pool = writePool(this.network, { tokens });
    this.#pools.set(name, pool);
    return pool;
  }
}

/** Names under which a pair of tokens sorts by its mints' bytes as it is given. */
const NAMES = new Map(
  (['spl', 'token-2022', 'transfer fee'] as const).flatMap((first) =>
    (['spl', 'token-2022', 'transfer fee'] as const).map((second) => {
      const name = `${first} ${second}`;
      const ordered = layOut([token(`${name} x`), token(`${name} y`)]).tokens[0].mint;
      return [name, ordered === token(`${name} x`).mint ? ['x', 'y'] : ['y', 'x']] as const;
    }),
  ),
);

interface Run {
  readonly quote: Quote | null;
  readonly outcome: Outcome;
  readonly moved: { readonly inAmount: bigint; readonly outAmount: bigint };
}

/** Quotes, then swaps with the quote as limit. */
function run(bench: Bench, pool: Pool, each: Case): Run {
  const { network } = bench;
  const { addresses, user } = pool;
  const { inputSide, exact, amount } = each;
  const inputMint = addresses.mints[inputSide];
  const [source, destination] = [user.tokens[inputSide], user.tokens[inputSide === 0 ? 1 : 0]];
  const clock = { slot: 0n, epoch: EPOCH, unixTimestamp: NOW };
  const state = raydiumCpmm.decode(addresses.address, (address) => network.account(address));
  const quoteOf = exact === 'in' ? raydiumCpmm.quoteExactIn : raydiumCpmm.quoteExactOut;
  const quote = 'unusable' in state ? null : quoteOf(state, inputMint, amount, clock);
  const outcome =
    exact === 'in'
      ? bench.swap(pool, each, amount, quote?.outAmount ?? 0n)
      : bench.swap(pool, each, quote?.inAmount ?? U64_MAX, amount);
  const inAmount = U64_MAX - each.vaultAmounts[inputSide] - network.tokenBalance(source);
  return { quote, outcome, moved: { inAmount, outAmount: network.tokenBalance(destination) - 1n } };
}

/** Null when quote and execution agree; otherwise what differs. */
function difference({ quote, outcome, moved }: Run, balance: bigint): string | null {
  const executed = outcome.error === null;
  if (quote === null) return executed ? `refused to quote, but it moved ${show(moved)}` : null;
  // Nobody can hold what such a swap asks for; the token program then refuses it.
  if (quote.inAmount > balance) return executed ? 'spent more than there was' : null;
  if (!executed) return `quoted ${show(quote)}, but ${show(outcome.error)} ${outcome.logs.join(' | ')}`;
  if (moved.inAmount !== quote.inAmount || moved.outAmount !== quote.outAmount) {
    return `quoted ${show(quote)}, moved ${show(moved)}`;
  }
  return eventFee(outcome) === quote.feeAmount ? null : `fee ${quote.feeAmount}, event ${eventFee(outcome)}`;
}

/** The trade fee that the swap's event names, with the creator's when it was taken from the input. */
function eventFee({ logs }: Outcome): bigint {
  const line = logs.find((each) => each.startsWith('Program data: ')) ?? '';
  const event = Buffer.from(line.slice('Program data: '.length), 'base64');
  return event.readBigUInt64LE(153) + (event[169] === 1 ? event.readBigUInt64LE(161) : 0n);
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));

it(`pays what was quoted, to the atom, and refuses what was not, in ${CASES} random swaps`, () => {
  const bench = new Bench();
  const differences: string[] = [];
  let executed = 0;
  for (const each of fc.sample(anyCase, { seed: SEED, numRuns: CASES })) {
    const pool = bench.write(each);
    const result = run(bench, pool, each);
    if (result.outcome.error === null) executed++;
    const different = difference(result, U64_MAX - each.vaultAmounts[each.inputSide]);
    if (different !== null) differences.push(`${different}\n  in ${show(each)}`);
  }
  process.stdout.write(
    `constant-product: ${CASES} swaps quoted, ${executed} executed, ${CASES - executed} refused by both, ` +
      `${differences.length} different\n`,
  );
  expect(differences.slice(0, 5)).toEqual([]);
  expect(executed).toBeGreaterThan(CASES / 2);
  expect(CASES - executed).toBeGreaterThan(CASES / 10);
});
