import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  RandomLife,
  type RandomStep,
  randomSteps,
  randomTerms,
} from '../../testing/exchange/random-commands.ts';
import { TEST_MARKET } from '../../testing/exchange/test-exchange.ts';
import { assertProperty } from '../../testing/random.ts';
import type { ExchangeOrder, ExchangeTrade, ExchangeTradeSide, MarketTerms } from '../exchange-order.ts';
import { computeHouseWorstLoss } from '../house.ts';
import { describeBook } from './book-view.ts';
import { ExchangeState } from './exchange-state.ts';

describe('ExchangeState in random lives', () => {
  it('never lets the vault have less than it may have to pay, whichever trades land and in whatever order', () => {
    const property = fc.property(randomTerms, randomSteps, (terms, steps) => {
      let vault = computeHouseWorstLoss(terms.house, 0n);
      const sums = { yes: 0n, no: 0n };
      live(terms, steps, {
        onConfirmed: ({ taker, maker, contracts }) => {
          for (const side of maker === null ? [taker] : [taker, maker]) {
            vault += side.isBuy ? side.amount + side.fee : side.fee - side.amount;
            sums[side.isYes ? 'yes' : 'no'] += side.isBuy ? contracts : -contracts;
          }
          const payout = sums.yes > sums.no ? sums.yes : sums.no;
          const further = computeHouseWorstLoss(terms.house, sums.yes - sums.no);
          expect(vault).toBeGreaterThanOrEqual(payout + further);
        },
      });
    });
    assertProperty(property, { cases: 3_000, seed: 4_203 });
  });

  it('lets two buyers pay exactly what their contracts pay, and moves nothing else between users', () => {
    const property = fc.property(randomTerms, randomSteps, (terms, steps) => {
      live(terms, steps, {
        onTrade: ({ taker, maker, contracts }) => {
          if (maker === null) return;
          const paid = (side: ExchangeTradeSide) => (side.isBuy ? side.amount : -side.amount);
          const made = (side: ExchangeTradeSide) =>
            side.isYes && side.isBuy ? contracts : side.isYes ? -contracts : 0n;
          expect(paid(taker) + paid(maker)).toBe(made(taker) + made(maker));
          expect(maker.owner).not.toBe(taker.owner);
        },
      });
    });
    assertProperty(property, { cases: 2_000, seed: 4_204 });
  });

  it('trades no order beyond its limit, its size, its budget or what its owner has', () => {
    const property = fc.property(randomTerms, randomSteps, (terms, steps) => {
      const orders = new Map<string, ExchangeOrder>();
      const used = new Map<string, { contracts: bigint; spent: bigint }>();
      const add = ({ taker, maker, contracts }: ExchangeTrade, sign: bigint) => {
        for (const side of maker === null ? [taker] : [taker, maker]) {
          const before = used.get(side.order) ?? { contracts: 0n, spent: 0n };
          const spent = before.spent + sign * (side.isBuy ? side.amount + side.fee : 0n);
          used.set(side.order, { contracts: before.contracts + sign * contracts, spent });
        }
      };
      live(terms, steps, {
        onOrder: (order) => {
          if (!orders.has(order.address)) orders.set(order.address, order);
        },
        onTrade: (trade) => {
          add(trade, 1n);
          for (const side of trade.maker === null ? [trade.taker] : [trade.taker, trade.maker]) {
            const order = orders.get(side.order);
            const { contracts, spent } = used.get(side.order) ?? { contracts: 0n, spent: 0n };
            if (order === undefined) throw new Error('a trade of an order that was never brought');
            if (order.isBuy) expect(side.price).toBeLessThanOrEqual(order.limitPrice);
            else expect(side.price).toBeGreaterThanOrEqual(order.limitPrice);
            expect(contracts).toBeLessThanOrEqual(order.isBuy ? order.contracts : order.heldContracts);
            expect(contracts).toBeLessThanOrEqual(order.contracts);
            expect(spent).toBeLessThanOrEqual(order.budget);
          }
        },
        onReverted: (trade) => add(trade, -1n),
      });
    });
    assertProperty(property, { cases: 2_000, seed: 4_205 });
  });

  it('never leaves bids that meet each other', () => {
    const property = fc.property(randomTerms, randomSteps, (terms, steps) => {
      live(terms, steps, {
        onStep: (state) => {
          const book = state.markets.get(TEST_MARKET);
          if (book === undefined || book.isHalted) return;
          const { yes, no } = describeBook(book);
          expect((yes.at(-1)?.price ?? 0n) + (no.at(-1)?.price ?? 0n)).toBeLessThan(1_000_000n);
          for (const rows of [yes, no]) {
            const prices = rows.map(({ price }) => Number(price));
            expect(prices).toEqual([...new Set(prices)].sort((one, other) => one - other));
          }
        },
      });
    });
    assertProperty(property, { cases: 1_000, seed: 4_206 });
  });

  it('ends each order once, when it neither rests nor has a trade in flight', () => {
    const property = fc.property(randomTerms, randomSteps, (terms, steps) => {
      const ended = new Set<string>();
      const state = live(terms, steps, {
        onEnded: (address, { orders }) => {
          expect(ended.has(address)).toBe(false);
          ended.add(address);
          expect([...orders.values()].find(({ order }) => order.address === address)).toMatchObject({
            resting: 0,
            tradesInFlight: 0,
          });
        },
      });
      for (const { order, resting, tradesInFlight } of state.orders.values()) {
        expect(ended.has(order.address)).toBe(resting === 0 && tradesInFlight === 0);
      }
    });
    assertProperty(property, { cases: 1_000, seed: 4_207 });
  });
});

interface LifeWatch {
  readonly onOrder?: (order: ExchangeOrder) => void;
  readonly onTrade?: (trade: ExchangeTrade) => void;
  readonly onConfirmed?: (trade: ExchangeTrade) => void;
  readonly onReverted?: (trade: ExchangeTrade) => void;
  readonly onEnded?: (address: string, state: ExchangeState) => void;
  readonly onStep?: (state: ExchangeState) => void;
}

/** Lets an exchange live, and calls back for what happens. Returns it as it is at the end. */
function live(terms: MarketTerms, steps: readonly RandomStep[], watch: LifeWatch): ExchangeState {
  const state = new ExchangeState();
  state.apply({ kind: 'open', terms });
  const life = new RandomLife();
  for (const step of steps) {
    const command = life.toCommand(step);
    if (command === null) continue;
    const settled = 'trade' in command ? state.trades.get(command.trade)?.trade : undefined;
    if (command.kind === 'accept') watch.onOrder?.(command.order);
    const outcome = state.apply(command);
    if (settled !== undefined) (command.kind === 'confirm' ? watch.onConfirmed : watch.onReverted)?.(settled);
    for (const trade of outcome.trades) watch.onTrade?.(trade);
    for (const { address } of outcome.ended) watch.onEnded?.(address, state);
    watch.onStep?.(state);
    life.note(outcome);
  }
  return state;
}
