import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainClock } from '../../../src/chain/chain.ts';
import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import {
  encodeForecastRound,
  type ForecastRoundAccount,
} from '../../../src/protocols/bisonfi-forecast/forecast-accounts.ts';
import {
  deriveForecastSide,
  deriveForecastUsdc,
  deriveForecastVault,
  deriveOutcomeTokens,
  FORECAST_PROGRAM,
  FORECAST_USDC,
  OUTCOME_SIDES,
  type OutcomeSide,
} from '../../../src/protocols/bisonfi-forecast/forecast-program.ts';
import type { BisonFiPool } from '../../../src/protocols/bisonfi-forecast/round-pool.ts';
import { bisonFi } from '../../../src/protocols/bisonfi-forecast/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { countCases, reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import { ForecastWorld, ONE, OPEN_PRICE, START } from './world.ts';

/** A state of a round, and a swap in it. */
interface Deal {
  readonly side: OutcomeSide;
  readonly isBuy: boolean;
  readonly amount: bigint;
  readonly price: bigint;
  readonly confidence: bigint;
  /** The seconds since the open, and the age of the price. */
  readonly second: bigint;
  readonly age: bigint;
  readonly vault: bigint;
  readonly terms: Partial<ForecastRoundAccount>;
}

describe('a quote of a side of a round', () => {
  it('is what the program pays, to the atom, and null where it refuses', () => {
    const world = openWorld();
    const counts = { quoted: 0, refused: 0 };
    for (const deal of sampleCases(deals, SUITE)) {
      const pool = write(world, deal);
      const clock = clockOf(deal);
      const quote = bisonFi.quoteExactIn(pool, inputOf(pool, deal), deal.amount, clock);
      const paid = execute(world, deal, pool, quote);
      expect(paid, describeDeal(deal)).toBe(quote?.outAmount ?? null);
      counts[quote === null ? 'refused' : 'quoted']++;
    }
    const cases = countCases(SUITE);
    expect(counts.quoted).toBeGreaterThan(cases / 4);
    expect(counts.refused).toBeGreaterThan(cases / 20);
    reportDifferences(0, cases, 'the program');
  });

  it('of an exact output is paid in full', () => {
    const world = openWorld();
    let quoted = 0;
    for (const deal of sampleCases(deals, { ...SUITE, seed: 2 })) {
      const pool = write(world, deal);
      const quote = bisonFi.quoteExactOut(pool, inputOf(pool, deal), deal.amount, clockOf(deal));
      if (quote === null) continue;
      quoted++;
      expect(execute(world, { ...deal, amount: quote.inAmount }, pool, quote), describeDeal(deal)).toBe(
        quote.outAmount,
      );
      expect(quote.outAmount).toBeGreaterThanOrEqual(deal.amount);
    }
    expect(quoted).toBeGreaterThan(countCases(SUITE) / 6);
  });
});

const SUITE = { cases: 4_000, seed: 1, short: 800, against: 'the program' };
/** Where a mint has its supply, and a token account its amount. */
const SUPPLY_AT = 36;
const AMOUNT_AT = 64;

/** Mostly what is usual, and sometimes what is not. */
function rarely<T>(usual: fc.Arbitrary<T>, ...others: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: usual }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));
}

const deals: fc.Arbitrary<Deal> = fc.record({
  side: fc.constantFrom(...OUTCOME_SIDES),
  isBuy: fc.boolean(),
  amount: rarely(
    fc.bigInt(1n, 5_000n * ONE),
    fc.bigInt(1n, 1_000n),
    fc.bigInt(1n, 60_000n * ONE),
    fc.bigInt(1n, (1n << 64n) - 1n),
  ),
  price: rarely(
    fc.bigInt(OPEN_PRICE - OPEN_PRICE / 500n, OPEN_PRICE + OPEN_PRICE / 500n),
    fc.constant(OPEN_PRICE),
    fc.bigInt(1n, 1n << 62n),
  ),
  confidence: rarely(fc.constant(1n), fc.bigInt(0n, OPEN_PRICE / 40n)),
  second: rarely(fc.bigInt(0n, 284n), fc.bigInt(280n, 305n)),
  age: rarely(fc.bigInt(0n, 60n), fc.bigInt(-2n, 65n)),
  vault: rarely(fc.bigInt(20_000n * ONE, 80_000n * ONE), fc.bigInt(0n, 30_000n * ONE)),
  terms: fc.record({
    upOutstanding: fc.bigInt(0n, 20_000n * ONE),
    downOutstanding: fc.bigInt(0n, 20_000n * ONE),
    deviation: rarely(fc.constant(5_000), fc.integer({ min: 0, max: 1_000_000 })),
    halfSpread: rarely(fc.constant(10_000), fc.integer({ min: 0, max: 500_000 })),
    slope: rarely(
      fc.constant(10_000),
      fc.constant(0),
      fc.integer({ min: 0, max: 100_000 }),
      fc.integer({ min: 0, max: 0xffff_ffff }),
    ),
  }),
});

function openWorld(): ForecastWorld {
  const world = new ForecastWorld();
  world.network.loadShipped('aggregator');
  world.open();
  return world;
}

/** Writes the state of the deal, in which Alice holds all of the side's tokens, and decodes the pool. */
function write(world: ForecastWorld, deal: Deal): BisonFiPool {
  const { network, round, alice } = world;
  network.setData(round, FORECAST_PROGRAM, encodeForecastRound({ ...world.read(), ...deal.terms }));
  for (const side of OUTCOME_SIDES) {
    const supply = (side === 'up' ? deal.terms.upOutstanding : deal.terms.downOutstanding) ?? 0n;
    writeNumber(world, world.mint(side), SUPPLY_AT, supply);
    writeNumber(world, deriveOutcomeTokens(alice, world.mint(side)), AMOUNT_AT, supply);
  }
  writeNumber(world, deriveForecastVault(round), AMOUNT_AT, deal.vault);
  writeNumber(world, deriveForecastUsdc(alice), AMOUNT_AT, (1n << 64n) - 1n - deal.vault);
  world.write({
    price: deal.price,
    confidence: deal.confidence,
    publishTime: START + deal.second - deal.age,
    postedSlot: 0n,
  });
  world.clock(deal.second);
  const side = deriveForecastSide(round, deal.side).address;
  const pool = bisonFi.decode(side, (address) => network.account(address));
  if ('unusable' in pool) throw new Error(pool.unusable);
  return pool as BisonFiPool;
}

/** Swaps by the venue's own step in a route, and returns what Alice received; null if the program refused. */
function execute(world: ForecastWorld, deal: Deal, pool: BisonFiPool, quote: Quote | null): bigint | null {
  const { alice, network } = world;
  const mint = world.mint(deal.side);
  const [usdc, tokens] = [deriveForecastUsdc(alice), deriveOutcomeTokens(alice, mint)];
  const [source, destination] = deal.isBuy ? [usdc, tokens] : [tokens, usdc];
  const [held, before] = [world.balance(source), world.balance(destination)];
  const step = bisonFi.routeStep(pool, inputOf(pool, deal), { authority: alice, source, destination });
  const usdcSide = { mint: FORECAST_USDC, program: TOKEN_PROGRAM };
  const tokenSide = { mint, program: TOKEN_2022_PROGRAM };
  const [from, to] = deal.isBuy ? [usdcSide, tokenSide] : [tokenSide, usdcSide];
  const instruction = routeV2(
    {
      inAmount: deal.amount,
      quotedOutAmount: quote?.outAmount ?? 0n,
      slippageBps: 0,
      steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
    },
    {
      userTransferAuthority: alice,
      userSourceTokenAccount: source,
      userDestinationTokenAccount: destination,
      sourceMint: from.mint,
      destinationMint: to.mint,
      sourceTokenProgram: from.program,
      destinationTokenProgram: to.program,
    },
  );
  const { error } = network.send([instruction]);
  if (error !== null) return null;
  expect(held - world.balance(source)).toBe(deal.amount);
  return world.balance(destination) - before;
}

function inputOf({ mints }: BisonFiPool, { isBuy }: Deal) {
  return mints[isBuy ? 0 : 1];
}

function clockOf({ second }: Deal): ChainClock {
  return { slot: 1n, epoch: 0n, unixTimestamp: START + second };
}

function describeDeal(deal: Deal): string {
  return JSON.stringify(deal, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** Overwrites a u64 in an account. */
function writeNumber({ network }: ForecastWorld, address: Address, offset: number, value: bigint): void {
  const account = network.account(address);
  if (account === null) throw new Error(`no account ${address}`);
  const data = Uint8Array.from(account.data);
  new DataView(data.buffer).setBigUint64(offset, value, true);
  network.setAccount(address, { ...account, data });
}
