import { expect, it } from 'vitest';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import { saber } from '../../../src/protocols/saber/venue.ts';
import { swap } from '../../../src/protocols/saber/instructions.ts';
import { setComputeUnitLimit } from '../../../src/solana/programs/compute-budget.ts';
import { type Encoded, type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { NOW, POOL, type SwapCase, swapCase, USER, writeMints, writeSaber, writeUser } from './fixture.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';

const SEED = 20_261_121;
const SUITE = { cases: 10_000, short: 500, seed: SEED, against: 'the program' };

it(`pays what was quoted, to the atom, and refuses what was not, in ${SUITE.cases} random swaps`, async () => {
  const cases = sampleCases(swapCase, { ...SUITE, examples: [WITHOUT_CONVERGENCE] });
  const bench = new Bench();
  const differences: string[] = [];
  let executed = 0;
  for (const [index, each] of cases.entries()) {
    if (index % 200 === 0) await yieldToOtherWork();
    const result = run(bench, each);
    if (result.outcome.error === null) executed++;
    const different = difference(result);
    if (different !== null) differences.push(`${different}\n  in ${show(each)}`);
  }
  process.stdout.write(
    `stable swap: ${cases.length} swaps quoted, ${executed} executed, ${cases.length - executed} refused by both, ` +
      `${differences.length} different\n`,
  );
  reportDifferences(differences.length, cases.length, 'the program');
  expect(differences.slice(0, 5)).toEqual([]);
  expect(executed).toBeGreaterThan(cases.length / 2);
  expect(cases.length - executed).toBeGreaterThan(cases.length / 20);
});

it('quotes an input that brings an exact output, and none that is an atom less', () => {
  const network = new TestNetwork();
  let found = 0;
  const cases = sampleCases(swapCase, { cases: 1_000, seed: SEED + 1 });
  for (const { spec, inputSide, amount } of cases) {
    writeSaber(network, spec);
    const state = saber.decode(POOL.address, (address) => network.account(address));
    if ('unusable' in state) continue;
    const mint = POOL.mints[inputSide];
    const quote = saber.quoteExactOut(state, mint, amount, CLOCK);
    if (quote === null) continue;
    found++;
    expect(quote.outAmount).toBeGreaterThanOrEqual(amount);
    expect(saber.quoteExactIn(state, mint, quote.inAmount, CLOCK)).toEqual(quote);
    const less = saber.quoteExactIn(state, mint, quote.inAmount - 1n, CLOCK);
    expect(less === null || less.outAmount < amount).toBe(true);
  }
  expect(found).toBeGreaterThan(0.3 * cases.length);
});

it('estimates what it quotes, down to single atoms of a price', () => {
  const network = new TestNetwork();
  let compared = 0;
  const cases = sampleCases(swapCase, { cases: 1_000, seed: SEED + 2 });
  for (const { spec, inputSide, amount } of cases) {
    writeSaber(network, {
      ...spec,
      pool: { ...spec.pool, amplification: { initial: 1n, target: 100n, start: 0n, stop: 0n } },
    });
    const state = saber.decode(POOL.address, (address) => network.account(address));
    const mint = POOL.mints[inputSide];
    if ('unusable' in state) continue;
    const quote = saber.quoteExactIn(state, mint, amount, CLOCK);
    if (quote === null || quote.outAmount < 1_000_000n) continue;
    compared++;
    const estimated = saber.estimate(state, mint, Number(amount), CLOCK);
    expect(Math.abs(estimated / Number(quote.outAmount) - 1)).toBeLessThan(1e-5);
    // In a pool of few atoms, a single atom does move the price.
    if (state.balances[0] < 10n ** 11n || state.balances[1] < 10n ** 11n) continue;
    const small = saber.estimate(state, mint, 1, CLOCK);
    const smaller = saber.estimate(state, mint, 1e-3, CLOCK) * 1e3;
    expect(Math.abs(small / smaller - 1)).toBeLessThan(1e-6);
  }
  expect(compared).toBeGreaterThan(0.3 * cases.length);
});

const CLOCK = { slot: 0n, epoch: 0n, unixTimestamp: NOW };
/** A number by which the amount is found in a transaction's bytes. */
const PLACEHOLDER = 0x1122_3344_5566_7788n;

/** The program's steps swing between two values here, so it takes all of them. */
const WITHOUT_CONVERGENCE: SwapCase = {
  spec: {
    pool: {
      amplification: { initial: 10n, target: 1n, start: 1_799_910_000n, stop: 1_799_999_999n },
      fees: {
        adminTrade: { numerator: 3_233n, denominator: 10_000n },
        adminWithdraw: { numerator: 1n, denominator: 10_000n },
        trade: { numerator: 42n, denominator: 10_000_000n },
        withdraw: { numerator: 99n, denominator: 10_000n },
      },
      paused: false,
    },
    balances: [48_512_514n, 48_512n],
    adminFrozen: false,
    lpSupply: 24_329_074n,
  },
  inputSide: 0,
  balances: [48_512_514n, 48_512n],
  amount: 9_029_215n,
};

/** Both directions' transactions, encoded once: only the amounts change. */
class Bench {
  readonly network = new TestNetwork(['saber']);
  readonly #swaps: readonly (Encoded & { readonly amounts: DataView })[];

  constructor() {
    this.network.setUnixTime(NOW);
    writeMints(this.network);
    this.#swaps = [this.#encode(0), this.#encode(1)];
  }

  swap(inputSide: 0 | 1, amountIn: bigint, minimumOut: bigint): TestOutcome {
    const encoded = this.#swaps[inputSide];
    if (encoded === undefined) throw new Error('there are two sides');
    encoded.amounts.setBigUint64(0, amountIn, true);
    encoded.amounts.setBigUint64(8, minimumOut, true);
    return this.network.sendEncoded(encoded);
  }

  #encode(side: 0 | 1): Encoded & { readonly amounts: DataView } {
    const user = {
      authority: USER.owner,
      source: USER.tokens[side],
      destination: USER.tokens[1 - side] ?? USER.tokens[0],
    };
    const instruction = swap(POOL, POOL.mints[side], user, PLACEHOLDER, PLACEHOLDER);
    // Steps that do not converge take more than a transaction has by default.
    const encoded = this.network.encode([setComputeUnitLimit(1_400_000), instruction]);
    const at = Buffer.from(encoded.wire).indexOf(instruction.data);
    return { ...encoded, amounts: new DataView(encoded.wire.buffer, encoded.wire.byteOffset + at + 1, 16) };
  }
}

interface Run {
  readonly quote: Quote | null;
  readonly outcome: TestOutcome;
  readonly moved: { readonly inAmount: bigint; readonly outAmount: bigint };
  readonly fee: bigint | null;
}

/** Quotes, then swaps with the quote as limit. */
function run(bench: Bench, { spec, inputSide, amount }: SwapCase): Run {
  const { network } = bench;
  writeSaber(network, spec);
  writeUser(network, inputSide === 0 ? [amount, 1n] : [1n, amount]);
  const state = saber.decode(POOL.address, (address) => network.account(address));
  const quote = 'unusable' in state ? null : saber.quoteExactIn(state, POOL.mints[inputSide], amount, CLOCK);
  const outcome = bench.swap(inputSide, amount, quote?.outAmount ?? 0n);
  const inAmount = amount - network.tokenBalance(USER.tokens[inputSide]);
  const outAmount = network.tokenBalance(USER.tokens[inputSide === 0 ? 1 : 0]) - 1n;
  return { quote, outcome, moved: { inAmount, outAmount }, fee: reportedFee(outcome) };
}

/** Returns the last of the five numbers that a swap logs. */
function reportedFee({ logs }: TestOutcome): bigint | null {
  const line = logs.find((each) => /^Program log: 0x[23], /.test(each));
  const fee = line?.split(', ')[4];
  return fee === undefined ? null : BigInt(fee);
}

/** Returns null if quote and execution agree, otherwise the difference. */
function difference({ quote, outcome, moved, fee }: Run): string | null {
  const executed = outcome.error === null;
  // The program accepts an input whose output is zero, and does nothing for an input of 0. Neither is quoted.
  if (quote === null)
    return executed && moved.outAmount > 0n ? `not quoted, but it moved ${show(moved)}` : null;
  if (!executed) return `quoted ${show(quote)}, but ${show(outcome.error)} ${outcome.logs.join(' | ')}`;
  const same = moved.inAmount === quote.inAmount && moved.outAmount === quote.outAmount;
  if (!same) return `quoted ${show(quote)}, moved ${show(moved)}`;
  return fee === quote.feeAmount ? null : `fee ${quote.feeAmount}, reported ${fee}`;
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
