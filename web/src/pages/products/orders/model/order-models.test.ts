import { describe, expect, it } from 'vitest';
import { toExactJson } from '../../../../base/exact-json.ts';
import { SOL_MINT, USDC_MINT } from '../../../../base/mints.ts';
import { computeDistance, computeFilled } from './order-distance.ts';
import { parseLimitOrders, parseRecurringOrders } from './parse-program-orders.ts';
import { parsePriceOrders, parseRoundOrders } from './parse-waiting-orders.ts';

describe('parseLimitOrders', () => {
  it('reads an order that is filled in part, with its trades and how it is cancelled', () => {
    const [order] = parseLimitOrders(toExactJson({ orders: [LIMIT] }));
    expect(order).toMatchObject({
      id: 'ORDER',
      sells: 1_000_000_000n,
      sold: 200_000_000n,
      received: 1_250_000_000n,
      state: 'open, filled in part',
      isOpen: true,
      terms: [{ kind: 'limit', making: 1_000_000_000n, taking: 6_250_000_000n }],
      expiresAt: Date.UTC(2027, 0, 28),
      cancel: { operationId: 'CancelLimitOrder', search: { body: '{"maker":"WALLET","order":"ORDER"}' } },
    });
    expect(order?.events.map(({ what, signature }) => [what, signature])).toEqual([
      ['was filled', 'FILL'],
      ['was placed', 'OPEN'],
    ]);
  });

  it('shows the end of an order that has ended, and no way to cancel it', () => {
    const ended = { ...LIMIT, status: 'Cancelled', closeTx: 'CLOSE' };
    const [order] = parseLimitOrders(toExactJson({ orders: [ended] }));
    expect(order).toMatchObject({ state: 'cancelled', isOpen: false, cancel: null });
    expect(order?.events[0]).toMatchObject({ what: 'was cancelled', signature: 'CLOSE' });
  });

  it('reads amounts beyond 2^53 to the atom', () => {
    const [order] = parseLimitOrders(
      toExactJson({ orders: [{ ...LIMIT, rawMakingAmount: '18446744073709551615' }] }),
    );
    expect(order?.sells).toBe(18_446_744_073_709_551_615n);
  });

  it('leaves out what names no order, and shows amounts that are none as unknown', () => {
    const odd = { ...LIMIT, rawMakingAmount: '1.5', trades: 'none' };
    const orders = parseLimitOrders(toExactJson({ orders: [null, {}, 7, odd] }));
    expect(orders).toMatchObject([{ sells: null, sold: null, received: null, terms: [] }]);
    expect(parseLimitOrders(toExactJson('orders'))).toEqual([]);
  });
});

describe('parseRecurringOrders', () => {
  it('reads rounds and bounds, of which zero is none', () => {
    const [order] = parseRecurringOrders(toExactJson({ orderStatus: 'active', time: [RECURRING] }));
    expect(order?.terms).toEqual([
      { kind: 'rounds', perRound: 52_000_000n, seconds: 60n, count: 3n },
      { kind: 'bounds', perRound: 52_000_000n, least: 200_000_000n, most: null },
    ]);
    expect(order).toMatchObject({ isOpen: true, state: 'open', sold: 52_000_000n });
  });

  it.each([
    ['completed', { rawInUsed: '156000000' }],
    ['cancelled', {}],
  ])('tells one that was %s from others', (state, changes) => {
    const ended = { ...RECURRING, closeTx: 'CLOSE', ...changes };
    const [order] = parseRecurringOrders(toExactJson({ orderStatus: 'history', time: [ended] }));
    expect(order).toMatchObject({ state, isOpen: false, cancel: null });
  });
});

describe('parsePriceOrders', () => {
  it('shows both prices of an order with two exits, and which of them still counts', () => {
    const legs = [
      { orderContext: 'take_profit', orderState: 'open' },
      { orderContext: 'stop_loss', orderState: 'cancelled' },
    ];
    const oco = { ...WAITING, orderType: 'oco', tpPriceUsd: 250, slPriceUsd: 150.5, legs };
    const [order] = parsePriceOrders(toExactJson({ orders: [oco] }));
    expect(order?.kind).toBe('one of two prices');
    expect(order?.terms).toEqual([
      { ...TRIGGER, label: 'takes the profit', condition: 'above', price: 250n * UNIT, isLive: true },
      { ...TRIGGER, label: 'stops the loss', condition: 'below', price: (1505n * UNIT) / 10n, isLive: false },
    ]);
  });

  it('shows the price at which an order buys, and that its exits do not count yet', () => {
    const otoco = {
      ...WAITING,
      orderType: 'otoco',
      triggerCondition: 'below',
      triggerPriceUsd: 180,
      tpPriceUsd: 250,
      slPriceUsd: 150,
    };
    const [order] = parsePriceOrders(toExactJson({ orders: [otoco] }));
    expect(order?.terms).toMatchObject([
      { label: 'buys', condition: 'below', isLive: true },
      { label: 'takes the profit', isLive: false },
      { label: 'stops the loss', isLive: false },
    ]);
  });

  it('turns the events around, the newest first, and marks those that failed', () => {
    const events = [
      { type: 'deposit', timestamp: 1, state: 'success', txSignature: 'A' },
      { type: 'fill', timestamp: 2, state: 'failed', amount: '5' },
    ];
    const [order] = parsePriceOrders(toExactJson({ orders: [{ ...WAITING, events }] }));
    expect(order?.events).toMatchObject([
      { what: 'was filled', isFailed: true, sold: 5n, signature: null },
      { what: 'was deposited', isFailed: false, signature: 'A' },
    ]);
  });
});

describe('parseRoundOrders', () => {
  it('reads rounds, the prices between which they are filled, and when the next is due', () => {
    const [order] = parseRoundOrders(toExactJson({ orders: [ROUNDS] }));
    expect(order?.terms).toEqual([
      { kind: 'rounds', perRound: 12n, seconds: 3_600n, count: 3n },
      { kind: 'range', mint: SOL_MINT, least: null, most: 210n * UNIT },
      { kind: 'next', at: Date.UTC(2026, 10, 29) },
    ]);
  });
});

describe('computeDistance', () => {
  it.each([
    [
      'the price has to improve',
      100_000_000n,
      { kind: 'away', millionths: 1_000_000n, direction: 'improve' },
    ],
    ['the market is there', 40_000_000n, { kind: 'reached' }],
  ])('compares a limit with the market: %s', (_, taking, expected) => {
    const pair = { inputMint: USDC_MINT, outputMint: SOL_MINT };
    expect(computeDistance(pair, { kind: 'limit', making: 10_000_000n, taking }, findMarket)).toEqual(
      expected,
    );
  });

  it.each([
    ['above', 210n, { kind: 'away', millionths: 50_000n, direction: 'rise' }],
    ['above', 200n, { kind: 'reached' }],
    ['below', 190n, { kind: 'away', millionths: 50_000n, direction: 'fall' }],
    ['below', 300n, { kind: 'reached' }],
  ] as const)('compares a trigger %s %d dollars with the market', (condition, dollars, expected) => {
    const term = { ...TRIGGER, label: null, condition, price: dollars * UNIT, isLive: true } as const;
    expect(computeDistance({ inputMint: SOL_MINT, outputMint: USDC_MINT }, term, findMarket)).toEqual(
      expected,
    );
  });

  it('is unknown for tokens without a price', () => {
    const term = { kind: 'limit', making: 1n, taking: 1n } as const;
    expect(computeDistance({ inputMint: 'ODD', outputMint: SOL_MINT }, term, findMarket)).toBeNull();
  });
});

describe('computeFilled', () => {
  it.each([
    [100n, 25n, 250_000n],
    [100n, 200n, 1_000_000n],
    [100n, -5n, 0n],
    [0n, 0n, null],
    [null, 5n, null],
  ])('is between nothing and the whole', (sells, sold, expected) => {
    expect(computeFilled({ sells, sold })).toBe(expected);
  });
});

const UNIT = 10n ** 24n;
const TRIGGER = { kind: 'trigger', mint: SOL_MINT } as const;
const PAIR = { inputMint: USDC_MINT, outputMint: SOL_MINT };
const LIMIT = {
  ...PAIR,
  orderKey: 'ORDER',
  userPubkey: 'WALLET',
  rawMakingAmount: '1000000000',
  rawTakingAmount: '6250000000',
  rawRemainingMakingAmount: '800000000',
  expiredAt: '2027-01-28T00:00:00Z',
  createdAt: '2026-11-24T00:00:00Z',
  status: 'Open',
  openTx: 'OPEN',
  closeTx: '',
  trades: [{ rawInputAmount: '200000000', rawOutputAmount: '1250000000', txId: 'FILL' }],
};
const RECURRING = {
  ...PAIR,
  orderKey: 'ORDER',
  userPubkey: 'WALLET',
  rawInDeposited: '156000000',
  rawInUsed: '52000000',
  rawInAmountPerCycle: '52000000',
  rawOutReceived: '259532110',
  rawMinOutAmount: '200000000',
  rawMaxOutAmount: '0',
  cycleFrequency: '60',
  closeTx: '',
  trades: [],
};
const WAITING = {
  id: 'ID',
  inputMint: SOL_MINT,
  outputMint: USDC_MINT,
  triggerMint: SOL_MINT,
  orderType: 'single',
  orderState: 'open',
  initialInputAmount: '500000000',
  trailingBps: null,
};
const ROUNDS = {
  ...PAIR,
  id: 'ID',
  displayState: 'active',
  amountPerRound: '12',
  intervalSeconds: 3_600,
  numberOfRounds: 3,
  triggerMint: SOL_MINT,
  minPriceUsd: null,
  maxPriceUsd: 210,
  nextFillAt: '2026-11-29T00:00:00.000Z',
};

function findMarket(mint: string) {
  if (mint === SOL_MINT) return { decimals: 9, price: 200n * UNIT };
  return mint === USDC_MINT ? { decimals: 6, price: UNIT } : { decimals: null, price: null };
}
