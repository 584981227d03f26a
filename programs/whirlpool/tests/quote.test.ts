import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import { deriveWhirlpoolOracleAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { whirlpool } from '../../../src/protocols/whirlpool/venue.ts';
import { swap, swapV2 } from '../../../src/protocols/whirlpool/venue/instructions.ts';
import { decodeWhirlpool, type WhirlpoolSides } from '../../../src/protocols/whirlpool/program/layout.ts';
import { encodeOracle } from '../../../src/protocols/whirlpool/program/oracle.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import { MAX_COMPUTE_UNITS, setComputeUnitLimit } from '../../../src/solana/programs/compute-budget.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  type AdaptiveFeeCase,
  adaptiveFeeCase,
  computeCurrentLiquidity,
  type SwapCase,
  swapCase,
} from '../../../src/testing/whirlpool/cases.ts';
import { type Token, token, withTransferFee, writeMint } from '../../raydium-cpmm/tests/fixture.ts';
import {
  layOut,
  type Pool,
  removeAccount,
  swapPool,
  USER,
  USER_TOKENS,
  writeBalances,
  writePool,
} from './fixture.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';

const SEED = 20_261_122;
const SUITE = { cases: 10_000, short: 500, seed: SEED, against: 'the program' };
const ADAPTIVE_SUITE = { cases: 1_000, short: 150, seed: SEED, against: 'the program' };

it(`pays what was quoted, to the atom, and refuses what was not, in ${SUITE.cases} random swaps`, async () => {
  const cases = sampleCases(fixed, SUITE);
  const { differences, executed } = await compare('whirlpool', cases);
  reportDifferences(differences.length, cases.length, 'the program');
  expect(differences.slice(0, 5)).toEqual([]);
  expect(executed).toBeGreaterThan(cases.length / 3);
  expect(cases.length - executed).toBeGreaterThan(cases.length / 10);
});

it(`does so with adaptive fees in ${ADAPTIVE_SUITE.cases} random swaps`, async () => {
  const cases = sampleCases(adaptive, ADAPTIVE_SUITE);
  const { differences, executed } = await compare('whirlpool with adaptive fees', cases);
  reportDifferences(differences.length, cases.length, 'the program');
  expect(differences.slice(0, 5)).toEqual([]);
  expect(executed).toBeGreaterThan(cases.length / 3);
});

const LONG_SWAP = 500_000n;
const NOW = 1_700_000_000n;
const EPOCH = 5n;

/** The instruction that swaps, and the transfer fees of the two mints, which are mostly none. */
interface Case {
  readonly swap: SwapCase;
  readonly v2: boolean;
  /** Null if the fee is fixed. */
  readonly adaptive: AdaptiveFeeCase | null;
  readonly fees: WhirlpoolSides<{ readonly basisPoints: number; readonly maximumFee: bigint } | null>;
}

const fee = fc.option(
  fc.record({
    basisPoints: fc.oneof(fc.constant(10_000), fc.integer({ min: 0, max: 10_000 })),
    maximumFee: fc.oneof(fc.bigInt(0n, 1n << 30n), fc.bigInt(0n, U64_MAX)),
  }),
  { nil: null, freq: 2 },
);
const noFee = fc.constant(null);
const fees = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(noFee, noFee) },
  { weight: 1, arbitrary: fc.tuple(fee, fee) },
);
const fixed: fc.Arbitrary<Case> = fc.record({
  swap: swapCase,
  v2: fc.boolean(),
  fees,
  adaptive: fc.constant(null),
});
const adaptive: fc.Arbitrary<Case> = swapCase.chain((swap) =>
  fc.record({ swap: fc.constant(swap), v2: fc.constant(true), fees, adaptive: adaptiveFeeCase(swap, NOW) }),
);

interface Run {
  readonly quote: Quote | null;
  readonly outcome: TestOutcome;
  readonly moved: { readonly inAmount: bigint; readonly outAmount: bigint };
}

/** The pool's tokens. Those of Token-2022 differ between cases only in their fee. */
function tokensOf(each: Case['fees']): WhirlpoolSides<Token> {
  const of = (side: 0 | 1) => {
    const terms = each[side];
    return terms === null ? token(`plain ${side}`) : token(`with fee ${side}`, [withTransferFee(terms)]);
  };
  return [of(0), of(1)];
}

function write(network: TestNetwork, each: Case): Pool {
  const tier = each.swap.tickSpacing + (each.adaptive === null ? 0 : 1);
  const pool = layOut(tier, tokensOf(each.fees));
  for (const each of pool.tokens) writeMint(network, each);
  writePool(network, pool, each.swap, { feeTierIndex: tier });
  const oracle = deriveWhirlpoolOracleAddress(pool.address);
  if (each.adaptive === null) removeAccount(network, oracle);
  else {
    const data = encodeOracle({ whirlpool: pool.address, tradeEnabledAt: NOW, ...each.adaptive });
    network.setData(oracle, WHIRLPOOL_PROGRAM, data);
  }
  const { aToB } = each.swap;
  writeBalances(network, pool, aToB ? [0n, U64_MAX] : [U64_MAX, 0n], aToB ? [U64_MAX, 0n] : [0n, U64_MAX]);
  return pool;
}

/** Quotes, then swaps with the quote as limit. */
function run(network: TestNetwork, pool: Pool, each: Case): Run {
  const { amount, aToB, exactIn } = each.swap;
  const input = aToB ? 0 : 1;
  const inputMint = pool.tokens[input].mint;
  const [source, destination] = aToB ? USER_TOKENS : ([USER_TOKENS[1], USER_TOKENS[0]] as const);
  const state = whirlpool.decode(pool.address, (address) => network.account(address));
  if ('unusable' in state) throw new Error(state.unusable);
  const quoteOf = exactIn ? whirlpool.quoteExactIn : whirlpool.quoteExactOut;
  const quote = quoteOf(state, inputMint, amount, { slot: 0n, epoch: EPOCH, unixTimestamp: NOW });
  const plain = each.fees[0] === null && each.fees[1] === null && !each.v2;
  const instruction = (plain ? swap : swapV2)(
    swapPool(pool, each.swap),
    inputMint,
    { authority: USER, source, destination },
    {
      amount,
      exactIn,
      sqrtPriceLimit: 0n,
      otherAmountThreshold: exactIn ? (quote?.outAmount ?? 0n) : (quote?.inAmount ?? U64_MAX),
    },
  );
  const outcome = network.send([setComputeUnitLimit(MAX_COMPUTE_UNITS), instruction]);
  const inAmount = U64_MAX - network.tokenBalance(source);
  return { quote, outcome, moved: { inAmount, outAmount: network.tokenBalance(destination) } };
}

/** Returns null if quote and execution agree, otherwise the difference. */
function difference(
  network: TestNetwork,
  pool: Pool,
  each: Case,
  { quote, outcome, moved }: Run,
): string | null {
  const executed = outcome.error === null;
  if (quote === null) {
    // The program accepts an input whose output is zero; the venue does not quote it. The program also passes more
    // tick groups than the venue quotes.
    if (each.adaptive !== null && outcome.units > LONG_SWAP) return null;
    return executed && moved.outAmount > 0n
      ? `refused to quote, but it moved ${show(moved)} for ${outcome.units} units`
      : null;
  }
  if (!executed) return `quoted ${show(quote)}, but ${show(outcome.error)} ${outcome.logs.join(' | ')}`;
  if (moved.inAmount !== quote.inAmount || moved.outAmount !== quote.outAmount) {
    return `quoted ${show(quote)}, moved ${show(moved)}`;
  }
  if (eventFee(outcome) !== quote.feeAmount) return `fee ${quote.feeAmount}, event ${eventFee(outcome)}`;
  const after = decodeWhirlpool(network.account(pool.address)?.data ?? new Uint8Array(0));
  const expected = computeCurrentLiquidity({ tick: after.tick, ranges: each.swap.ranges });
  return after.liquidity === expected ? null : `liquidity ${after.liquidity} where ${expected} is in range`;
}

/** Returns what the liquidity and the protocol earned, according to the swap's event. */
function eventFee({ logs }: TestOutcome): bigint {
  const line = logs.find((each) => each.startsWith('Program data: ')) ?? '';
  const event = Buffer.from(line.slice('Program data: '.length), 'base64');
  return event.readBigUInt64LE(105) + event.readBigUInt64LE(113);
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));

/** Quotes and executes each case. Returns the differences and the number of executed swaps. */
async function compare(what: string, cases: readonly Case[]) {
  const network = new TestNetwork(['whirlpool']);
  network.setUnixTime(NOW);
  network.setEpoch(EPOCH);
  const differences: string[] = [];
  let [executed, nothing, units] = [0, 0, 0n];
  for (const [index, each] of cases.entries()) {
    if (index % 200 === 0) await yieldToOtherWork();
    const pool = write(network, each);
    const result = run(network, pool, each);
    if (result.outcome.error === null) executed++;
    if (result.outcome.error === null && result.quote === null) nothing++;
    if (result.outcome.units > units) units = result.outcome.units;
    const different = difference(network, pool, each, result);
    if (different !== null) differences.push(`${different}\n  in ${show(each)}`);
  }
  process.stdout.write(
    `${what}: ${cases.length} swaps quoted, ${executed} executed, ${nothing} of them for nothing, ` +
      `${cases.length - executed} refused by both, ${differences.length} different; at most ${units} compute units\n`,
  );
  return { differences, executed };
}
