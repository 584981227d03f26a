import { expect, it } from 'vitest';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import { splStakePool } from '../../../src/protocols/spl-stake-pool/venue.ts';
import { stakeWrappedSol, withdrawWrappedSol } from '../../../src/protocols/spl-stake-pool/instructions.ts';
import { WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { type Encoded, type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { type DealCase, dealCase, writeCase } from './cases.ts';
import { EPOCH, WORLD, writeWrappedSolMint } from './fixture.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';

const SEED = 20_261_121;
const SUITE = { cases: 10_000, short: 500, seed: SEED, against: 'the program' };

it(`pays what was quoted, to the atom, and refuses what was not, in ${SUITE.cases} random deals`, async () => {
  const cases = sampleCases(dealCase, SUITE);
  const bench = new Bench();
  const differences: string[] = [];
  let executed = 0;
  for (const [index, each] of cases.entries()) {
    if (index % 200 === 0) await yieldToOtherWork();
    writeCase(bench.network, each);
    const result = run(bench, each);
    if (result.outcome.error === null) executed++;
    const different = difference(result);
    if (different !== null) differences.push(`${different}\n  in ${show(each)}`);
  }
  process.stdout.write(
    `stake pool: ${cases.length} deals quoted, ${executed} executed, ${cases.length - executed} refused by both, ` +
      `${differences.length} different\n`,
  );
  reportDifferences(differences.length, cases.length, 'the program');
  expect(differences.slice(0, 5)).toEqual([]);
  expect(executed).toBeGreaterThan(cases.length / 2);
  expect(cases.length - executed).toBeGreaterThan(cases.length / 20);
});

it('quotes the least input that brings an exact output', () => {
  const network = new TestNetwork();
  writeWrappedSolMint(network);
  let found = 0;
  const cases = sampleCases(dealCase, { cases: 1_000, seed: SEED + 1 });
  for (const each of cases) {
    writeCase(network, each);
    const state = splStakePool.decode(pool.address, (address) => network.account(address));
    if ('unusable' in state) continue;
    const inputMint = each.deposit ? WRAPPED_SOL_MINT : pool.mint;
    const quote = splStakePool.quoteExactOut(state, inputMint, each.amount, CLOCK);
    if (quote === null) continue;
    found++;
    expect(quote.outAmount).toBeGreaterThanOrEqual(each.amount);
    expect(splStakePool.quoteExactIn(state, inputMint, quote.inAmount, CLOCK)).toEqual(quote);
    const less = splStakePool.quoteExactIn(state, inputMint, quote.inAmount - 1n, CLOCK);
    expect(less === null || less.outAmount < each.amount).toBe(true);
  }
  expect(found).toBeGreaterThan(0.3 * cases.length);
});

const CLOCK = { slot: 0n, epoch: EPOCH, unixTimestamp: 0n };
/** A number by which the amount is found in a transaction's bytes. */
const PLACEHOLDER = 0x1122_3344_5566_7788n;
const { pool, user } = WORLD;

/** Both transactions, encoded once: only the amount changes. */
class Bench {
  readonly network = new TestNetwork(['spl-stake-pool', 'stakedex']);
  readonly #deposit: Encoded & { readonly amount: DataView };
  readonly #withdrawal: Encoded & { readonly amount: DataView };

  constructor() {
    this.network.setEpoch(EPOCH);
    writeWrappedSolMint(this.network);
    const { wallet: authority, tokens, wrappedSol } = user;
    const deposit = { authority, source: wrappedSol, destination: tokens };
    const withdrawal = { authority, source: tokens, destination: wrappedSol };
    this.#deposit = this.#encode(stakeWrappedSol(pool, deposit, PLACEHOLDER));
    this.#withdrawal = this.#encode(withdrawWrappedSol(pool, withdrawal, PLACEHOLDER));
  }

  deal(deposit: boolean, amount: bigint): TestOutcome {
    const encoded = deposit ? this.#deposit : this.#withdrawal;
    encoded.amount.setBigUint64(0, amount, true);
    return this.network.sendEncoded(encoded);
  }

  #encode(instruction: ReturnType<typeof stakeWrappedSol>): Encoded & { readonly amount: DataView } {
    const encoded = this.network.encode([instruction]);
    const at = Buffer.from(encoded.wire).indexOf(instruction.data);
    return { ...encoded, amount: new DataView(encoded.wire.buffer, encoded.wire.byteOffset + at + 1, 8) };
  }
}

interface Run {
  readonly quote: Quote | null;
  readonly outcome: TestOutcome;
  readonly moved: { readonly inAmount: bigint; readonly outAmount: bigint };
}

function run(bench: Bench, { deposit, amount }: DealCase): Run {
  const { network } = bench;
  const [source, destination] = deposit ? [user.wrappedSol, user.tokens] : [user.tokens, user.wrappedSol];
  const inputMint = deposit ? WRAPPED_SOL_MINT : pool.mint;
  const state = splStakePool.decode(pool.address, (address) => network.account(address));
  const quote = 'unusable' in state ? null : splStakePool.quoteExactIn(state, inputMint, amount, CLOCK);
  const before = [network.tokenBalance(source), network.tokenBalance(destination)] as const;
  const outcome = bench.deal(deposit, amount);
  const inAmount = before[0] - network.tokenBalance(source);
  return { quote, outcome, moved: { inAmount, outAmount: network.tokenBalance(destination) - before[1] } };
}

/** Returns null if quote and execution agree, otherwise the difference. */
function difference({ quote, outcome, moved }: Run): string | null {
  const executed = outcome.error === null;
  // The programs accept a withdrawal that pays nothing, but it is never quoted.
  if (quote === null)
    return executed && moved.outAmount > 0n ? `not quoted, but it moved ${show(moved)}` : null;
  if (!executed) return `quoted ${show(quote)}, but ${show(outcome.error)} ${outcome.logs.join(' | ')}`;
  const same = moved.inAmount === quote.inAmount && moved.outAmount === quote.outAmount;
  return same ? null : `quoted ${show(quote)}, moved ${show(moved)}`;
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
