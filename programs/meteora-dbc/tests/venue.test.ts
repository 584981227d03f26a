import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChainClock } from '../../../src/chain/chain.ts';
import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import { AGGREGATOR_PROGRAM } from '../../../src/protocol/venue/aggregator-program.ts';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import type { MeteoraDbcPool } from '../../../src/protocols/meteora-dbc/pool.ts';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import { swap2Dbc, swapDbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { DbcSwapMode } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { quoteFirstPurchase } from '../../../src/protocols/meteora-dbc/quote.ts';
import { meteoraDbc } from '../../../src/protocols/meteora-dbc/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import { FORWARDER } from '../../../src/testing/svm/forwarder.ts';
import { TestNetwork, type TestOutcome } from '../../../src/testing/svm/network.ts';
import { NEEDS_TOOLCHAIN, ProgramCompiler, toolchain } from '../../../src/testing/svm/program-compiler.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import {
  namedAddress,
  type Token,
  writeTokenAccount,
  writeWallet,
} from '../../raydium-cpmm/tests/fixture.ts';
import { configCase } from './cases.ts';
import { extremeConfigCase } from './extreme-cases.ts';
import {
  describeLaunch,
  type Launch,
  launch,
  NOW,
  PARAMETERS,
  PAYER,
  prepare,
  QUOTE,
  setClock,
  SLOT,
} from './fixture.ts';

const SUITE = { cases: 2_000, short: 60, seed: 20_261_128, against: 'the program' };

/** A swap of a life. Amounts are powers of ten, or as much beyond the largest purchase as `beyond` says, which completes the curve. */
interface Trade {
  readonly isPurchase: boolean;
  readonly isExactOut: boolean;
  readonly exponent: number;
  readonly beyond: bigint | null;
  readonly passed: number;
}

const trade: fc.Arbitrary<Trade> = fc.record({
  isPurchase: fc.integer({ min: 0, max: 2 }).map((each) => each > 0),
  isExactOut: fc.boolean(),
  exponent: fc
    .oneof(fc.integer({ min: 0, max: 130 }), fc.integer({ min: 0, max: 180 }))
    .map((tenths) => tenths / 10),
  beyond: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, fc.constantFrom(0n, 1n)),
  passed: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 5_000 })),
});

const life = fc.record({
  parameters: fc.oneof({ weight: 3, arbitrary: configCase }, extremeConfigCase),
  trades: fc.array(trade, { minLength: 6, maxLength: 14 }),
});

let network: TestNetwork;
beforeEach(() => {
  network = new TestNetwork(['meteora-dbc', 'token-metadata', 'aggregator']);
  prepare(network);
});

describe('a launch', () => {
  it(`pays what was quoted, to the atom, and refuses what was not, in ${SUITE.cases} random lives`, async () => {
    const differences: string[] = [];
    let [launched, swaps, executed, completed] = [0, 0, 0, 0];
    const lives = sampleCases(life, SUITE);
    for (const [index, { parameters, trades }] of lives.entries()) {
      if (index % 20 === 0) await yieldToOtherWork();
      const own = tryLaunch(`life ${index}`, parameters);
      if (own === null) continue;
      launched++;
      let time = 0n;
      for (const each of trades) {
        const before = read(own);
        if (before === null) {
          completed++;
          break;
        }
        time += BigInt(each.passed);
        setClock(network, { slot: SLOT + time, time: NOW + time });
        const run = swap(own, before, each);
        swaps++;
        if (run.outcome.error === null) executed++;
        const different = findDifference(own, before, run);
        if (different !== null) differences.push(`${different}\n  ${show(each)} in ${show(parameters)}`);
      }
    }
    process.stdout.write(
      `meteora-dbc: ${launched} launches, ${swaps} swaps, ${executed} executed, ${completed} completed, ` +
        `${differences.length} different\n`,
    );
    reportDifferences(differences.length, swaps, SUITE.against);
    expect(differences.slice(0, 3)).toEqual([]);
    expect(launched).toBeGreaterThan(lives.length / 3);
    expect(executed).toBeGreaterThan(swaps / 5);
    expect(completed).toBeGreaterThan(0);
  });

  it('pays the discount of the first purchase in the transaction that creates it, as quoted', () => {
    const baseFee = { ...PARAMETERS.poolFees.baseFee, cliffFeeNumerator: 500_000_000n, firstFactor: 10 };
    const changes = {
      poolFees: { baseFee: { ...baseFee, secondFactor: 60n, thirdFactor: 40_000_000n }, dynamicFee: null },
      enableFirstSwapWithMinFee: true,
    };
    const twin = launch(network, { name: 'twin', changes });
    const pool = read(twin);
    const quote = pool === null ? null : quoteFirstPurchase(pool, 1_000_000n, clock());
    const { keys, instructions } = describeLaunch({ name: 'own', changes });
    const [config, initialize] = instructions;
    expect(network.send([config]).error).toBeNull();
    fill(QUOTE, SOURCE, 1_000_000n);
    fill(tokenOf(keys.baseMint, keys.tokenBaseProgram), DESTINATION, 0n);
    const parties = { payer: PAYER, inputTokenAccount: SOURCE, outputTokenAccount: DESTINATION };
    const bought = swapDbc(
      keys,
      { ...parties, showsInstructions: true },
      { amountIn: 1_000_000n, minimumAmountOut: quote?.outAmount ?? 0n },
    );
    expect(network.send([initialize, bought])).toMatchObject({ error: null });
    expect(network.tokenBalance(DESTINATION)).toBe(quote?.outAmount);
    expect(quote?.feeAmount).toBe(100_000n);
  });
});

describe('a purchase while purchases are limited', () => {
  const baseFee = {
    ...PARAMETERS.poolFees.baseFee,
    baseFeeMode: 2,
    firstFactor: 100,
    secondFactor: 600n,
    thirdFactor: 1_000_000n,
  };
  const LIMITED = { poolFees: { baseFee, dynamicFee: null } };

  it('is carried out once in a transaction by a route, and not after another route that names the pool', () => {
    const own = launch(network, { name: 'limited', changes: LIMITED });
    const [first, second] = [routeOf(own, 2_000_000n), routeOf(own, 3_000_000n)];
    fillFor(own, true);
    expect(network.send([first, second]).error).not.toBeNull();
    expect(network.send([first]).error).toBeNull();
    fillFor(own, true);
    expect(network.send([second]).error).toBeNull();
  });

  it.skipIf(toolchain === null)(
    `is refused if another program calls the aggregator (${NEEDS_TOOLCHAIN})`,
    async () => {
      const compiler = await ProgramCompiler.open();
      const forwarder = network.newAddress();
      network.loadProgram(forwarder, await compiler.compile(FORWARDER));
      await compiler.close();
      const own = launch(network, { name: 'limited', changes: LIMITED });
      fillFor(own, true);
      const route = routeOf(own, 2_000_000n);
      const accounts = [...route.accounts, readonly(AGGREGATOR_PROGRAM)];
      const nested: Instruction = { programAddress: forwarder, accounts, data: route.data };
      expect(network.send([nested]).error).not.toBeNull();
      expect(network.send([route]).error).toBeNull();
      setClock(network, { slot: SLOT + 601n, time: NOW + 601n });
      fillFor(own, true);
      expect(network.send([nested]).error).toBeNull();
    },
  );
});

const SOURCE = namedAddress('dbc source');
const DESTINATION = namedAddress('dbc destination');
/** Less than half of what an account can hold, so that it can receive as much again. */
const PLENTY = 1n << 62n;

interface Swap {
  readonly quote: Quote | null;
  readonly outcome: TestOutcome;
  readonly moved: { readonly inAmount: bigint; readonly outAmount: bigint };
}

function tryLaunch(name: string, changes: DbcConfigParameters): Launch | null {
  setClock(network, { slot: SLOT, time: NOW });
  // Some configurations have a fee of up to 100 SOL.
  writeWallet(network, PAYER);
  try {
    return launch(network, { name, changes });
  } catch {
    return null;
  }
}

/** Returns null once the curve is complete. */
function read({ keys }: Launch): MeteoraDbcPool | null {
  const state = meteoraDbc.decode(keys.pool, (address) => network.account(address));
  if (!('unusable' in state)) return state;
  if (state.unusable === 'its curve is complete') return null;
  throw new Error(state.unusable);
}

function clock(): ChainClock {
  const { slot, epoch, unixTimestamp } = network.svm.getClock();
  return { slot, epoch, unixTimestamp };
}

/** Quotes, then swaps with the quote as limit: exact inputs by a route, and exact outputs by the program itself. */
function swap(own: Launch, pool: MeteoraDbcPool, trade: Trade): Swap {
  const isPurchase = trade.isPurchase || trade.beyond !== null;
  const isExactOut = trade.isExactOut && trade.beyond === null;
  const amount =
    trade.beyond === null
      ? BigInt(Math.floor(10 ** trade.exponent))
      : findLargestPurchase(pool) + trade.beyond;
  const mint = pool.mints[isPurchase ? 1 : 0];
  fillFor(own, isPurchase);
  const quoteOf = isExactOut ? meteoraDbc.quoteExactOut : meteoraDbc.quoteExactIn;
  const quote = quoteOf(pool, mint, amount, clock());
  const outcome = network.send([
    isExactOut
      ? swap2Dbc(
          own.keys,
          {
            payer: PAYER,
            inputTokenAccount: SOURCE,
            outputTokenAccount: DESTINATION,
            showsInstructions: true,
          },
          { amount0: amount, amount1: quote?.inAmount ?? PLENTY, swapMode: DbcSwapMode.EXACT_OUT },
        )
      : routeOf(own, amount, isPurchase, quote?.outAmount ?? 0n),
  ]);
  const inAmount = PLENTY - network.tokenBalance(SOURCE);
  return { quote, outcome, moved: { inAmount, outAmount: network.tokenBalance(DESTINATION) } };
}

/** Returns the largest purchase that is quoted. */
function findLargestPurchase(pool: MeteoraDbcPool): bigint {
  let [taken, refused] = [0n, PLENTY];
  while (refused - taken > 1n) {
    const middle = (taken + refused) / 2n;
    if (meteoraDbc.quoteExactIn(pool, pool.mints[1], middle, clock()) === null) refused = middle;
    else taken = middle;
  }
  return taken;
}

function tokenOf(mint: Address, tokenProgram: Address): Token {
  return { mint, tokenProgram, decimals: 6, extensions: [] };
}

function fill(token: Token, account: Address, amount: bigint): void {
  writeTokenAccount(network, account, PAYER, token, amount);
}

function fillFor({ keys }: Launch, isPurchase: boolean): void {
  const base = tokenOf(keys.baseMint, keys.tokenBaseProgram);
  fill(isPurchase ? QUOTE : base, SOURCE, PLENTY);
  fill(isPurchase ? base : QUOTE, DESTINATION, 0n);
}

function routeOf(own: Launch, amount: bigint, isPurchase = true, quotedOutAmount = 0n): Instruction {
  const { keys } = own;
  const pool = read(own);
  if (pool === null) throw new Error('the curve is complete');
  const sides = [
    [keys.baseMint, keys.tokenBaseProgram],
    [keys.quoteMint, keys.tokenQuoteProgram],
  ] as const;
  const [[sourceMint, sourceTokenProgram], [destinationMint, destinationTokenProgram]] = isPurchase
    ? [sides[1], sides[0]]
    : sides;
  const step = meteoraDbc.routeStep(pool, sourceMint, {
    authority: PAYER,
    source: SOURCE,
    destination: DESTINATION,
  });
  return routeV2(
    {
      inAmount: amount,
      quotedOutAmount,
      slippageBps: 0,
      steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
    },
    {
      userTransferAuthority: PAYER,
      userSourceTokenAccount: SOURCE,
      userDestinationTokenAccount: DESTINATION,
      sourceMint,
      destinationMint,
      sourceTokenProgram,
      destinationTokenProgram,
    },
  );
}

/** Returns null if quote and execution agree, otherwise the difference. */
function findDifference(own: Launch, before: MeteoraDbcPool, { quote, outcome, moved }: Swap): string | null {
  const isExecuted = outcome.error === null;
  if (quote === null) {
    // The program accepts an input whose output is zero; the venue does not quote it.
    return isExecuted && moved.outAmount > 0n ? `refused to quote, but it moved ${show(moved)}` : null;
  }
  if (!isExecuted) return `quoted ${show(quote)}, but ${show(outcome.error)} ${outcome.logs.join(' | ')}`;
  if (moved.inAmount !== quote.inAmount || moved.outAmount !== quote.outAmount) {
    return `quoted ${show(quote)}, moved ${show(moved)}`;
  }
  const account = network.account(own.keys.pool);
  const advanced = account === null ? null : (meteoraDbc.advance?.(before, own.keys.pool, account) ?? null);
  const decoded = read(own);
  return show(advanced) === show(decoded) ? null : `advanced to ${show(advanced)}, decoded ${show(decoded)}`;
}

function show(value: unknown): string {
  return JSON.stringify(value, (key, each: unknown) =>
    key === 'data' ? null : typeof each === 'bigint' ? each.toString() : each,
  );
}
