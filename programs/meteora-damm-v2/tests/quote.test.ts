import { expect, it } from 'vitest';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import { meteoraDammV2 } from '../../../src/protocols/meteora-damm-v2/venue.ts';
import { swap, SwapMode, swap2 } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import type { MeteoraDammV2Pool } from '../../../src/protocols/meteora-damm-v2/pool.ts';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type Encoded, type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { type Token, token, withTransferFee, writeMint } from '../../raydium-cpmm/tests/fixture.ts';
import { EPOCH, NOW, SLOT, type SwapCase, swapCase } from './cases.ts';
import { layOut, type Pool, parties, REFERRALS, setClock, writeBalances, writePool } from './fixture.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';

const SEED = 20_261_123;
const SUITE = { cases: 10_000, short: 500, seed: SEED, against: 'the program' };

it(`pays what was quoted, to the atom, and refuses what was not, in ${SUITE.cases} random swaps`, async () => {
  const cases = sampleCases(swapCase, SUITE);
  const network = new TestNetwork(['meteora-damm-v2']);
  setClock(network, { slot: SLOT, time: NOW, epoch: EPOCH });
  const differences: string[] = [];
  let [executed, nothing, units] = [0, 0, 0n];
  for (const [index, each] of cases.entries()) {
    if (index % 200 === 0) await yieldToOtherWork();
    const pool = write(network, each);
    const before = read(network, pool);
    const result = run(network, pool, each);
    if (result.outcome.error === null) executed++;
    if (result.outcome.error === null && result.quote === null) nothing++;
    if (result.outcome.units > units) units = result.outcome.units;
    const different = difference(network, pool, before, result);
    if (different !== null) differences.push(`${different}\n  in ${show(each)}`);
  }
  process.stdout.write(
    `meteora-damm-v2: ${cases.length} swaps quoted, ${executed} executed, ${nothing} of them for nothing, ` +
      `${cases.length - executed} refused by both, ${differences.length} different; at most ${units} compute units\n`,
  );
  reportDifferences(differences.length, cases.length, 'the program');
  expect(differences.slice(0, 5)).toEqual([]);
  expect(executed).toBeGreaterThan(cases.length / 3);
  expect(cases.length - executed).toBeGreaterThan(cases.length / 10);
});

const CLOCK = { slot: SLOT, epoch: EPOCH, unixTimestamp: NOW };

interface Run {
  readonly quote: Quote | null;
  readonly outcome: TestOutcome;
  readonly moved: { readonly inAmount: bigint; readonly outAmount: bigint };
}

/** The pool's tokens. Those of Token-2022 differ between cases only in their fee. */
function tokenOf(side: 0 | 1, { fees }: SwapCase): Token {
  const terms = fees[side];
  return terms === null ? token(`damm ${side}`) : token(`damm fee ${side}`, [withTransferFee(terms)]);
}

function write(network: TestNetwork, each: SwapCase): Pool {
  const pool = layOut([tokenOf(0, each), tokenOf(1, each)]);
  for (const each of pool.tokens) writeMint(network, each);
  writePool(network, pool, each.pool);
  const full = [U64_MAX, 0n] as const;
  const empty = [0n, U64_MAX] as const;
  writeBalances(network, pool, each.aToB ? empty : full, each.aToB ? full : empty);
  return pool;
}

function read(network: TestNetwork, pool: Pool): MeteoraDammV2Pool {
  const state = meteoraDammV2.decode(pool.address, (address) => network.account(address));
  if ('unusable' in state) throw new Error(state.unusable);
  return state;
}

/**
 * Quotes, then swaps with the quote as limit. The first form of the instruction is used wherever it can express the
 * swap.
 */
function run(network: TestNetwork, pool: Pool, each: SwapCase): Run {
  const { amount, aToB, exactIn, referral } = each;
  const user = parties(aToB);
  const quoteOf = exactIn ? meteoraDammV2.quoteExactIn : meteoraDammV2.quoteExactOut;
  const quote = quoteOf(read(network, pool), pool.mints[aToB ? 0 : 1], amount, CLOCK);
  const limit = exactIn ? (quote?.outAmount ?? 0n) : (quote?.inAmount ?? U64_MAX);
  const mode = exactIn ? SwapMode.EXACT_IN : SwapMode.EXACT_OUT;
  const feeSide = !aToB && each.pool.collectFeeMode === 0 ? 0 : 1;
  const instruction =
    exactIn && !referral
      ? swap(pool, user, amount, limit)
      : swap2(pool, user, {
          amounts: [amount, limit],
          mode,
          ...(referral ? { referral: REFERRALS[feeSide] } : {}),
        });
  const outcome = send(network, instruction);
  const inAmount = U64_MAX - network.tokenBalance(user.source);
  return { quote, outcome, moved: { inAmount, outAmount: network.tokenBalance(user.destination) } };
}

/** Encoded transactions by their accounts. Between cases only the data differs. */
const encodings = new Map<string, { readonly encoded: Encoded; readonly dataAt: number }>();

function send(network: TestNetwork, instruction: Instruction): TestOutcome {
  const key = `${instruction.data.length} ${instruction.accounts.map(({ address }) => address).join()}`;
  let found = encodings.get(key);
  if (found === undefined) {
    const encoded = network.encode([instruction]);
    found = { encoded, dataAt: Buffer.from(encoded.wire).indexOf(instruction.data) };
    encodings.set(key, found);
  }
  found.encoded.wire.set(instruction.data, found.dataAt);
  return network.sendEncoded(found.encoded);
}

/** Returns null if quote and execution agree, otherwise the difference. */
function difference(
  network: TestNetwork,
  pool: Pool,
  before: MeteoraDammV2Pool,
  { quote, outcome, moved }: Run,
): string | null {
  const executed = outcome.error === null;
  if (quote === null) {
    // The program accepts an input whose output is zero; the venue does not quote it.
    return executed && moved.outAmount > 0n ? `refused to quote, but it moved ${show(moved)}` : null;
  }
  if (!executed) return `quoted ${show(quote)}, but ${show(outcome.error)} ${outcome.logs.join(' | ')}`;
  if (moved.inAmount !== quote.inAmount || moved.outAmount !== quote.outAmount) {
    return `quoted ${show(quote)}, moved ${show(moved)}`;
  }
  if (eventFee(outcome) !== quote.feeAmount) return `fee ${quote.feeAmount}, event ${eventFee(outcome)}`;
  const account = network.account(pool.address);
  const advanced = account === null ? null : meteoraDammV2.advance?.(before, pool.address, account);
  const decoded = read(network, pool);
  const [one, other] = [advanced, decoded].map((state) => show({ ...state, data: null }));
  return one === other ? null : `advanced to ${one}, decoded ${other}`;
}

/** Returns what liquidity, protocol and referrer earned, according to the swap's event. */
function eventFee({ inner }: TestOutcome): bigint {
  const event = Buffer.from(inner.flat().at(-1)?.data ?? []);
  return [116, 124, 132, 140].reduce((sum, at) => sum + event.readBigUInt64LE(at), 0n);
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
