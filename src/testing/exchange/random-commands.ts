import fc from 'fast-check';
import type { Address } from '../../solana/address.ts';
import type { ExchangeCommand, ExchangeTrade, MarketTerms } from '../../exchange/exchange-order.ts';
import { createTestAddress, TEST_MARKET } from './test-exchange.ts';

const OWNERS = ['a', 'b', 'c', 'd'].map((name) => createTestAddress(`owner ${name}`));

/** A step of a random life of an exchange. It names trades and orders by numbers of which the rest of a division counts. */
export type RandomStep =
  | { readonly kind: 'order'; readonly command: ExchangeCommand }
  | {
      readonly kind: 'confirm' | 'revert';
      readonly which: number;
      readonly fault: 'taker' | 'maker' | 'none';
    }
  | { readonly kind: 'end'; readonly which: number }
  | { readonly kind: 'halt' };

/** Prices, sizes and budgets are few and close together, so that orders meet, are filled in part, and run out of money. */
const order: fc.Arbitrary<RandomStep> = fc
  .record({
    address: fc.nat({ max: 400 }),
    owner: fc.constantFrom(...OWNERS),
    isYes: fc.boolean(),
    isBuy: fc.boolean(),
    isLimit: fc.boolean(),
    limitPrice: fc.oneof(
      fc.integer({ min: 440_000, max: 560_000 }),
      fc.integer({ min: 480, max: 520 }).map((steps) => steps * 1_000),
      fc.integer({ min: 0, max: 1_000_000 }),
    ),
    contracts: fc.oneof(
      fc.integer({ min: 0, max: 400_000 }),
      fc.integer({ min: 1, max: 40 }).map((lots) => lots * 10_000),
    ),
    budget: fc.oneof(fc.integer({ min: 0, max: 400_000 }), fc.constant(1_000_000_000)),
    heldContracts: fc.integer({ min: 0, max: 1_000_000 }),
  })
  .map(({ address, limitPrice, contracts, budget, heldContracts, ...rest }) => ({
    kind: 'order',
    command: {
      kind: 'accept',
      order: {
        ...rest,
        address: createTestAddress(`order ${address}`),
        marketId: TEST_MARKET,
        limitPrice: BigInt(limitPrice),
        contracts: BigInt(contracts),
        budget: rest.isBuy ? BigInt(budget) : 0n,
        heldContracts: rest.isBuy ? 0n : BigInt(heldContracts),
      },
    },
  }));

const settlement: fc.Arbitrary<RandomStep> = fc.record({
  kind: fc.constantFrom('confirm' as const, 'confirm' as const, 'revert' as const),
  which: fc.nat({ max: 1_000 }),
  fault: fc.constantFrom('taker' as const, 'maker' as const, 'none' as const),
});

const end: fc.Arbitrary<RandomStep> = fc.record({
  kind: fc.constant('end' as const),
  which: fc.nat({ max: 400 }),
});

const halt: fc.Arbitrary<RandomStep> = fc.constant({ kind: 'halt' as const });

/** Random lives of an exchange with one market. */
export const randomSteps: fc.Arbitrary<readonly RandomStep[]> = fc.array(
  fc.oneof(
    { weight: 60, arbitrary: order },
    { weight: 30, arbitrary: settlement },
    { weight: 4, arbitrary: end },
    { weight: 1, arbitrary: halt },
  ),
  { maxLength: 80, size: 'max' },
);

/** Random terms of that market. A level has few lots, so that orders cross several. */
export const randomTerms: fc.Arbitrary<MarketTerms> = fc
  .record({
    feeBps: fc.constantFrom(0, 700, 10_000),
    startCents: fc.oneof(fc.integer({ min: 45, max: 55 }), fc.constantFrom(1, 2, 98, 99)),
    levelLots: fc.constantFrom(0, 1, 7, 30),
  })
  .map(({ feeBps, startCents, levelLots }) => ({
    marketId: TEST_MARKET,
    feeBps,
    house: { startCents, levelContracts: BigInt(levelLots) * 10_000n },
    netYes: 0n,
  }));

/** Turns the steps of a random life into commands, one after the other, because what they name depends on those before. */
export class RandomLife {
  readonly inFlight: ExchangeTrade[] = [];

  /** Returns the command of a step; null if it has nothing to act on. The outcome of the command is to be given to `note`. */
  toCommand(step: RandomStep): ExchangeCommand | null {
    if (step.kind === 'order') return step.command;
    if (step.kind === 'halt') return { kind: 'halt', marketId: TEST_MARKET };
    if (step.kind === 'end')
      return { kind: 'end', order: createTestAddress(`order ${step.which}`), reason: 'expired' };
    const [trade] = this.inFlight.splice(step.which % Math.max(this.inFlight.length, 1), 1);
    if (trade === undefined) return null;
    if (step.kind === 'confirm') return { kind: 'confirm', trade: trade.number };
    return { kind: 'revert', trade: trade.number, faulty: findFaulty(trade, step.fault) };
  }

  note({ trades }: { readonly trades: readonly ExchangeTrade[] }): void {
    this.inFlight.push(...trades);
  }
}

function findFaulty({ taker, maker }: ExchangeTrade, fault: 'taker' | 'maker' | 'none'): Address | null {
  if (fault === 'none') return null;
  return fault === 'taker' ? taker.order : (maker?.order ?? null);
}
