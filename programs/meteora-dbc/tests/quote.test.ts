import { expect, it } from 'vitest';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import type { MeteoraDbcPool } from '../../../src/protocols/meteora-dbc/pool.ts';
import { swap2Dbc, swapDbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { DbcSwapMode } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { meteoraDbc } from '../../../src/protocols/meteora-dbc/venue.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import { token } from '../../raydium-cpmm/tests/fixture.ts';
import { setClock } from './fixture.ts';
import { HALF, NOW, SLOT, type SwapCase, swapCase } from './swap-cases.ts';
import {
  type Launch,
  layOut,
  REFERRALS,
  USER_TOKENS,
  userParties,
  writeLaunch,
  writeUser,
} from './swap-fixture.ts';

const SUITE = { cases: 10_000, short: 500, seed: 20_261_128, against: 'the program' };
const CLOCK = { slot: SLOT, epoch: 0n, unixTimestamp: NOW };

it(`pays what was quoted, to the atom, and refuses what was not, in ${SUITE.cases} random swaps`, async () => {
  const cases = sampleCases(swapCase, SUITE);
  const network = new TestNetwork(['meteora-dbc']);
  setClock(network, { slot: SLOT, time: NOW });
  const differences: string[] = [];
  let [quoted, executed, units] = [0, 0, 0n];
  for (const [index, each] of cases.entries()) {
    if (index % 200 === 0) await yieldToOtherWork();
    const launch = write(network, each);
    const result = run(network, launch, each);
    if (result.quote !== null) quoted++;
    if (result.outcome.error === null) executed++;
    if (result.outcome.units > units) units = result.outcome.units;
    const different = difference(network, launch, result);
    if (different !== null) differences.push(`${different}\n  in ${show(each)}`);
  }
  process.stdout.write(
    `meteora-dbc: ${cases.length} swaps, ${quoted} quoted, ${executed} executed, ` +
      `${differences.length} different; at most ${units} compute units\n`,
  );
  reportDifferences(differences.length, cases.length, 'the program');
  expect(differences.slice(0, 5)).toEqual([]);
  expect(executed).toBeGreaterThan(cases.length / 3);
  expect(cases.length - executed).toBeGreaterThan(cases.length / 20);
});

interface Run {
  readonly before: MeteoraDbcPool | null;
  readonly quote: Quote | null;
  readonly outcome: TestOutcome;
  readonly moved: { readonly inAmount: bigint; readonly outAmount: bigint };
}

const launches = [
  layOut('quoted', [token('dbc quoted'), token('dbc quote')]),
  layOut('quoted 2022', [token('dbc quoted 2022', [], true), token('dbc quote')]),
] as const;

function write(network: TestNetwork, each: SwapCase): Launch {
  const launch = launches[each.isToken2022 ? 1 : 0];
  writeLaunch(network, launch, each.launch);
  writeUser(network, launch, each.isPurchase ? [0n, HALF] : [HALF, 0n]);
  return launch;
}

function read(network: TestNetwork, launch: Launch): MeteoraDbcPool | null {
  const state = meteoraDbc.decode(launch.pool, (address) => network.account(address));
  return 'unusable' in state ? null : state;
}

/**
 * Quotes, then swaps with the quote as limit. The first form of the instruction is used wherever it can express the
 * swap. A partial fill of an amount that fits is a swap of the exact input.
 */
function run(network: TestNetwork, launch: Launch, each: SwapCase): Run {
  const { amount, isPurchase, mode, hasReferral } = each;
  const exactOut = mode === DbcSwapMode.EXACT_OUT;
  const before = read(network, launch);
  const quoteOf = exactOut ? meteoraDbc.quoteExactOut : meteoraDbc.quoteExactIn;
  const input = isPurchase ? launch.quoteMint : launch.baseMint;
  const quote = before === null ? null : (quoteOf?.(before, input, amount, CLOCK) ?? null);
  const limit = exactOut ? (quote?.inAmount ?? U64_MAX) : (quote?.outAmount ?? 0n);
  const feeSide = isPurchase && each.launch.config.collectFeeMode === 1 ? 0 : 1;
  const user = userParties(isPurchase, {
    showsInstructions: true,
    ...(hasReferral ? { referralTokenAccount: REFERRALS[feeSide] } : {}),
  });
  const instruction: Instruction =
    mode === DbcSwapMode.EXACT_IN
      ? swapDbc(launch, user, { amountIn: amount, minimumAmountOut: limit })
      : swap2Dbc(launch, user, {
          amount0: amount,
          amount1: limit,
          swapMode: quote === null && !exactOut ? DbcSwapMode.EXACT_IN : mode,
        });
  const outcome = network.send([instruction]);
  const [source, destination] = isPurchase ? ([1, 0] as const) : ([0, 1] as const);
  return {
    before,
    quote,
    outcome,
    moved: {
      inAmount: HALF - network.tokenBalance(USER_TOKENS[source]),
      outAmount: network.tokenBalance(USER_TOKENS[destination]),
    },
  };
}

/** Returns null if quote and execution agree, otherwise the difference. */
function difference(
  network: TestNetwork,
  launch: Launch,
  { before, quote, outcome, moved }: Run,
): string | null {
  const executed = outcome.error === null;
  if (quote === null) {
    // The program accepts an input whose output is zero; the venue does not quote it.
    return executed && moved.outAmount > 0n ? `refused to quote, but it moved ${show(moved)}` : null;
  }
  // With a fee of 99 %, an exact output may need more than the wallet holds.
  if (quote.inAmount > HALF) return outcome.error?.custom === INSUFFICIENT_FUNDS ? null : 'paid by nobody';
  if (!executed) return `quoted ${show(quote)}, but ${show(outcome.error)} ${outcome.logs.join(' | ')}`;
  if (moved.inAmount !== quote.inAmount || moved.outAmount !== quote.outAmount) {
    return `quoted ${show(quote)}, moved ${show(moved)}`;
  }
  const fee = readFee(outcome);
  if (fee !== quote.feeAmount) return `fee ${quote.feeAmount}, event ${fee}`;
  const account = network.account(launch.pool);
  if (account === null || before === null) return 'no pool';
  const [advanced, decoded] = [meteoraDbc.advance?.(before, launch.pool, account), read(network, launch)];
  const [one, other] = [advanced ?? null, decoded].map((state) => show(state && { ...state, data: null }));
  return one === other ? null : `advanced to ${one}, decoded ${other}`;
}

/** The error of the token program. */
const INSUFFICIENT_FUNDS = 1;

/** The offset of the trading fee in the data of the second event. Protocol and referral follow. */
const FEES_AT = 8 + 8 + 64 + 2 + 17 + 32 + 16;
const EVENT_SIZE = FEES_AT + 24 + 24;

/** Returns what partner, creator, protocol and referrer earned, according to the swap's event. */
function readFee({ inner }: TestOutcome): bigint {
  const event = inner.flat().find(({ data }) => data.length === EVENT_SIZE);
  const data = Buffer.from(event?.data ?? []);
  return [0, 8, 16].reduce((sum, at) => sum + data.readBigUInt64LE(FEES_AT + at), 0n);
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
