import { beforeEach, describe, expect, it } from 'vitest';
import {
  createTestAccept,
  createTestAddress,
  createTestMarket,
  TEST_MARKET,
  type TestOrderTerms,
} from '../../testing/exchange/test-exchange.ts';
import type { EndReason, ExchangeCommand } from '../exchange-order.ts';
import { describeBook, describePrices, estimatePurchase, estimateSale } from './book-view.ts';
import { ExchangeState } from './exchange-state.ts';
import { MAX_OWN_RESTING_ORDERS } from './order-flow.ts';
import { MAX_RESTING_ORDERS, MAX_TRADES_AT_ONCE } from './market-book.ts';

let state = new ExchangeState();

beforeEach(() => {
  state = new ExchangeState();
  state.apply(createTestMarket());
});

describe('matching', () => {
  it('trades with the best price first, and at one price with the order that came first', () => {
    accept('dear', { isBuy: false, cents: 46 });
    accept('first', { isBuy: false, cents: 45 });
    accept('second', { isBuy: false, cents: 45 });
    expect(accept('purchase', { cents: 50, contracts: 25 })).toEqual([
      '10 at 45 from first',
      '10 at 45 from second',
      '5 at 46 from dear',
    ]);
  });

  it('makes a pair of contracts of two purchases, which together pay a dollar', () => {
    accept('yes', { cents: 60 });
    const { trades } = state.apply(createTestAccept('no', { isYes: false, cents: 45 }));
    expect(trades).toMatchObject([
      {
        maker: { isYes: true, price: 600_000n, amount: 6_000_000n },
        taker: { isYes: false, price: 400_000n, amount: 4_000_000n },
      },
    ]);
  });

  it('takes a pair back from two sales, which together get a dollar', () => {
    accept('yes', { isBuy: false, cents: 35 });
    const { trades } = state.apply(createTestAccept('no', { isYes: false, isBuy: false, cents: 60 }));
    expect(trades).toMatchObject([
      { maker: { amount: 3_500_000n }, taker: { isYes: false, amount: 6_500_000n } },
    ]);
  });

  it('lets a user come before the house at one price', () => {
    state = new ExchangeState();
    state.apply(createTestMarket({ house: { startCents: 50, levelContracts: 5_000_000n } }));
    accept('user', { isBuy: false, cents: 51 });
    expect(accept('purchase', { cents: 60, contracts: 18 })).toEqual([
      '10 at 51 from user',
      '5 at 51 from the house',
      '3 at 52 from the house',
    ]);
  });

  it('ends what an order that does not rest cannot get, and rests what another cannot', () => {
    accept('sale', { isBuy: false, cents: 45, contracts: 4 });
    accept('at once', { isLimit: false, cents: 45 });
    expect(confirm(1)).toEqual({ sale: 'filled', 'at once': 'unfilled' });
    accept('patient', { cents: 45 });
    expect(state.orders.get(createTestAddress('patient'))).toMatchObject({ resting: 1_000, ended: null });
  });

  it('ends a resting order that meets another of its owner, which goes on', () => {
    accept('own', { owner: 'one', isBuy: false, cents: 44 });
    accept('other', { isBuy: false, cents: 45 });
    const outcome = state.apply(createTestAccept('purchase', { owner: 'one', cents: 50 }));
    expect(outcome.ended).toMatchObject([{ address: createTestAddress('own'), reason: 'self-trade' }]);
    expect(outcome.trades).toMatchObject([{ maker: { order: createTestAddress('other') } }]);
  });

  it('spends no more than the budget of a purchase, its fees included', () => {
    accept('sale', { isBuy: false, cents: 50 });
    // A contract costs 50 cents and 1.75 cents of fees.
    expect(accept('purchase', { cents: 50, budget: 2_000_000n })).toEqual(['3.86 at 50 from sale']);
    expect(confirm(1)).toEqual({ purchase: 'filled' });
  });

  it('sells nothing twice that its owner has once', () => {
    accept('first', { owner: 'one', isBuy: false, cents: 60, contracts: 7, held: 10 });
    accept('second', { owner: 'one', isBuy: false, cents: 61, contracts: 7, held: 10 });
    expect(reject('third', { owner: 'one', isBuy: false, cents: 62, held: 10 })).toBe('nothing-to-sell');
    expect(describeOrder('second')).toEqual({ resting: 300 });
    accept('buyer', { cents: 60, contracts: 7 });
    expect(reject('fourth', { owner: 'one', isBuy: false, cents: 62, held: 10 })).toBe('nothing-to-sell');
  });

  it('refuses what is less than a step, unaffordable, or of a market that is not traded', () => {
    expect(reject('dust', { contracts: 0.009 })).toBe('too-small');
    expect(reject('poor', { budget: 5_174n })).toBe('too-small');
    expect(reject('free', { cents: 0.05 })).toBe('unfilled');
    expect(reject('dear', { isBuy: false, cents: 99.95 })).toBe('unfilled');
    state.apply({ kind: 'halt', marketId: TEST_MARKET });
    expect(reject('late')).toBe('not-traded');
  });

  it('takes an order once, and not again until it is forgotten', () => {
    accept('order', { isLimit: false });
    expect(state.apply(createTestAccept('order', { isLimit: false }))).toEqual({ trades: [], ended: [] });
    state.apply({ kind: 'forget', order: createTestAddress('order') });
    expect(state.orders.size).toBe(0);
  });
});

describe('the settlement of trades', () => {
  it('gives the innocent order its place back when the other is at fault', () => {
    accept('first', { isBuy: false, cents: 45 });
    accept('second', { isBuy: false, cents: 45 });
    accept('faulty', { cents: 45, contracts: 10 });
    const { ended } = state.apply({ kind: 'revert', trade: 1, faulty: createTestAddress('faulty') });
    expect(ended).toMatchObject([{ address: createTestAddress('faulty'), reason: 'faulty' }]);
    expect(accept('next', { cents: 45 })).toEqual(['10 at 45 from first']);
  });

  it('lets an order that does not rest look for another when its maker is at fault', () => {
    accept('faulty', { isBuy: false, cents: 44 });
    accept('other', { isBuy: false, cents: 45 });
    accept('at once', { isLimit: false, cents: 50 });
    const { trades } = state.apply({ kind: 'revert', trade: 1, faulty: createTestAddress('faulty') });
    expect(trades).toMatchObject([{ number: 2, maker: { order: createTestAddress('other') } }]);
  });

  it('moves the house for the next order at once where that is worse for it, and for others once it has landed', () => {
    state = new ExchangeState();
    state.apply(createTestMarket({ house: { startCents: 50, levelContracts: 10_000_000n } }));
    accept('pushing', { isLimit: false, cents: 60, contracts: 20 });
    expect(getPrices()).toMatchObject({ buyYes: 530_000n, buyNo: 510_000n });
    confirm(1);
    confirm(2);
    expect(getPrices()).toMatchObject({ buyYes: 530_000n, buyNo: 490_000n });
  });

  it('lets the house meet a resting order towards which it comes', () => {
    state = new ExchangeState();
    state.apply(createTestMarket({ house: { startCents: 50, levelContracts: 10_000_000n } }));
    accept('pushing', { isLimit: false, cents: 60, contracts: 10 });
    accept('resting', { cents: 51.5 });
    const { trades } = state.apply({ kind: 'revert', trade: 1, faulty: createTestAddress('pushing') });
    expect(trades).toMatchObject([
      { maker: null, taker: { order: createTestAddress('resting'), price: 510_000n } },
    ]);
  });

  it('ends a halted market only when its last trade is settled', () => {
    accept('sale', { isBuy: false, cents: 45 });
    accept('purchase', { cents: 45, contracts: 4 });
    expect(state.apply({ kind: 'halt', marketId: TEST_MARKET }).ended).toEqual([]);
    state.apply({ kind: 'close', marketId: TEST_MARKET });
    expect(state.markets.size).toBe(1);
    const { ended } = state.apply({ kind: 'revert', trade: 1, faulty: null });
    expect(ended.map(({ reason }) => reason)).toEqual(['not-traded', 'not-traded']);
    state.apply({ kind: 'close', marketId: TEST_MARKET });
    expect(state.markets.size).toBe(0);
  });

  it('forgets the orders and trades of a market that is reset', () => {
    accept('sale', { isBuy: false, cents: 45 });
    accept('purchase', { cents: 45, contracts: 4 });
    state.apply({ kind: 'reset', marketId: TEST_MARKET, netYes: 30_000n });
    expect([state.orders.size, state.trades.size, state.markets.get(TEST_MARKET)?.netYes]).toEqual([0, 0, 3]);
    expect(accept('sale', { isBuy: false, cents: 45 })).toEqual([]);
  });
});

describe('the limits of a book', () => {
  it('keeps the better orders of a full side, and at one price the earlier ones', () => {
    for (let index = 0; index < MAX_RESTING_ORDERS; index++) accept(`order ${index}`, { cents: 40 });
    expect(reject('same', { cents: 40 })).toBe('book-full');
    const { ended } = state.apply(createTestAccept('better', { cents: 41 }));
    expect(ended).toMatchObject([
      { address: createTestAddress(`order ${MAX_RESTING_ORDERS - 1}`), reason: 'book-full' },
    ]);
  });

  it('lets one order make no more than some trades, and then gives up what it has left', () => {
    for (let index = 0; index <= MAX_TRADES_AT_ONCE; index++) {
      accept(`dust ${index}`, { isBuy: false, cents: 40, contracts: 0.01 });
    }
    expect(accept('purchase', { cents: 40 })).toHaveLength(MAX_TRADES_AT_ONCE);
    expect(describeOrder('purchase')).toEqual({ resting: 0 });
    expect(describePrices(getBook()).buyYes).toBe(400_000n);
    for (let trade = 1; trade < MAX_TRADES_AT_ONCE; trade++) confirm(trade);
    expect(confirm(MAX_TRADES_AT_ONCE)).toMatchObject({ purchase: 'unfilled' });
  });

  it('lets no owner have more than some resting orders', () => {
    for (let index = 0; index < MAX_OWN_RESTING_ORDERS; index++)
      accept(`order ${index}`, { owner: 'one', cents: 40 });
    expect(reject('further', { owner: 'one', cents: 41 })).toBe('owner-full');
    state.apply({ kind: 'end', order: createTestAddress('order 7'), reason: 'expired' });
    expect(accept('again', { owner: 'one', cents: 41 })).toEqual([]);
    expect(describeOrder('again')).toEqual({ resting: 1_000 });
  });
});

describe('the order book that is shown', () => {
  it('has all bids for yes and no, those of the house among them, from the lowest price', () => {
    state = new ExchangeState();
    state.apply(createTestMarket({ house: { startCents: 3, levelContracts: 5_000_000n } }));
    accept('bid', { cents: 2, contracts: 3 });
    accept('ask', { isYes: false, cents: 1.5, contracts: 2, budget: 1_000_000n });
    const { yes, no } = describeBook(getBook());
    expect(yes).toEqual([
      { price: 10_000n, contracts: 5_000_000n },
      { price: 20_000n, contracts: 8_000_000n },
    ]);
    expect(no.slice(0, 2)).toEqual([
      { price: 10_000n, contracts: 5_000_000n },
      { price: 15_000n, contracts: 2_000_000n },
    ]);
    expect(no.at(-1)).toEqual({ price: 960_000n, contracts: 5_000_000n });
    expect(no).toHaveLength(97);
  });

  it('tells what a market order would pay and get', () => {
    state = new ExchangeState();
    state.apply(createTestMarket({ house: { startCents: 50, levelContracts: 10_000_000n } }));
    expect(estimatePurchase(getBook(), true, { amount: 6_000_000n, maxPrice: 999_000n })).toEqual({
      contracts: 11_340_000n,
      amount: 5_796_800n,
      fee: 198_350n,
      worstPrice: 520_000n,
    });
    expect(estimateSale(getBook(), true, { contracts: 15_000_000n, minPrice: 480_000n })).toEqual({
      contracts: 15_000_000n,
      amount: 7_300_000n,
      fee: 262_290n,
      worstPrice: 480_000n,
    });
    expect(estimatePurchase(getBook(), false, { amount: 6_000_000n, maxPrice: 500_000n })).toMatchObject({
      contracts: 0n,
      worstPrice: null,
    });
  });
});

/** Brings an order. Returns its trades in words. */
function accept(name: string, terms?: TestOrderTerms): readonly string[] {
  return state.apply(createTestAccept(name, terms)).trades.map(({ contracts, taker, maker }) => {
    const from = names.get(maker?.order ?? '') ?? 'the house';
    return `${Number(contracts) / 1_000_000} at ${Number(taker.price) / 10_000} from ${from}`;
  });
}

/** Brings an order that ends at once. Returns why. */
function reject(name: string, terms?: TestOrderTerms): EndReason | undefined {
  return state
    .apply(createTestAccept(name, terms))
    .ended.find(({ address }) => address === createTestAddress(name))?.reason;
}

/** Confirms a trade. Returns which orders have ended, and why. */
function confirm(trade: number): Record<string, EndReason> {
  const command: ExchangeCommand = { kind: 'confirm', trade };
  const { ended } = state.apply(command);
  return Object.fromEntries(ended.map(({ address, reason }) => [names.get(address) ?? address, reason]));
}

function getBook() {
  const book = state.markets.get(TEST_MARKET);
  if (book === undefined) throw new Error('the test market is open');
  return book;
}

function getPrices() {
  return describePrices(getBook());
}

function describeOrder(name: string) {
  return { resting: state.orders.get(createTestAddress(name))?.resting };
}

/** The names of the orders of these tests, by their addresses. */
const names = new Map(
  ['dear', 'first', 'second', 'user', 'sale', 'purchase', 'at once', 'patient', 'own', 'other'].map(
    (name) => [String(createTestAddress(name)), name],
  ),
);
