import { describe, expect, it } from 'vitest';
import { toExactJson } from '../../../../base/exact-json.ts';
import { findOpeningPrice } from '../rounds/opening-price.ts';
import { formatChance, formatContractPrice, formatContracts } from './format-contracts.ts';
import { parseBook } from './parse-book.ts';
import { parseChances } from './parse-everybody.ts';
import { parseEvents } from './parse-events.ts';
import { parseHistory, parsePositions } from './parse-holdings.ts';

describe('parseBook', () => {
  it('sorts from the best price on, and turns bids for no into offers of yes', () => {
    const answer = {
      yes_dollars: [
        ['0.0100', 300],
        ['0.7000', '2.5'],
      ],
      no_dollars: [
        ['0.2600', 10],
        ['0.2800', 20],
      ],
    };
    expect(parseBook(toExactJson(answer))).toEqual({
      bids: [
        { price: 700_000_000n, contracts: 2_500_000n },
        { price: 10_000_000n, contracts: 300_000_000n },
      ],
      asks: [
        { price: 720_000_000n, contracts: 20_000_000n },
        { price: 740_000_000n, contracts: 10_000_000n },
      ],
    });
  });

  it('leaves out levels that are none', () => {
    const yes_dollars = [
      null,
      [],
      ['x', 1],
      ['1.5', 1],
      ['0', 1],
      ['0.5', 0],
      ['0.5', -1],
      ['0.5'],
      { a: 1 },
    ];
    expect(parseBook(toExactJson({ yes_dollars, no_dollars: null }))).toEqual({ bids: [], asks: [] });
    expect(parseBook(null)).toEqual({ bids: [], asks: [] });
  });
});

describe('parseEvents', () => {
  it('reads the markets and the score of an event', () => {
    const [event] = parseEvents(toExactJson({ data: [EVENT] }));
    expect(event).toMatchObject({
      title: 'A game',
      volume: 140_132_500_000n,
      score: 'Aldin and Verhoeven 3.5-2.5, Game 7',
      markets: [{ id: 'M', title: 'Aldin wins', buyYes: 620_000_000n, sellNo: null, isTradable: true }],
    });
  });

  it('names a market that waits for its result as such', () => {
    const market = { ...MARKET, tradable: false, lifecycleStatus: 'resolving' };
    const [event] = parseEvents(toExactJson({ data: [{ ...EVENT, markets: [market] }] }));
    expect(event?.markets[0]).toMatchObject({ state: 'waits for its result', isTradable: false });
  });
});

describe('parsePositions', () => {
  it('reads contracts to the millionth, and keeps a value that nobody knows apart from none', () => {
    const position = {
      pubkey: 'P',
      contractsDecimal: '34.20062',
      valueUsd: null,
      pnlUsdAfterFees: '-437332',
    };
    expect(parsePositions(toExactJson({ data: [position] }))).toMatchObject([
      { contracts: 34_200_620n, value: null, profit: -437_332_000n, isClaimable: false },
    ]);
  });
});

describe('parseHistory', () => {
  it.each([
    [{ eventType: 'order_created', depositAmountUsd: '5000000' }, 'deposited', 5_000_000_000n],
    [{ eventType: 'order_filled', isBuy: true, totalCostUsd: '18942000' }, 'cost', 18_942_000_000n],
    [{ eventType: 'order_filled', isBuy: false, netProceedsUsd: '3832000' }, 'brought', 3_832_000_000n],
    [{ eventType: 'order_closed', isBuy: true, transferAmountToken: '253692' }, 'returned', 253_692_000n],
    [{ eventType: 'payout_claimed', payoutAmountUsd: '36200000' }, 'brought', 36_200_000_000n],
  ])('says which money an event is about: %o', (event, verb, amount) => {
    expect(parseHistory(toExactJson({ data: [{ id: 1, ...event }] }))[0]?.money).toEqual({ verb, amount });
  });

  it.each([
    { eventType: 'position_updated', transferAmountToken: '5' },
    { eventType: 'order_closed', transferAmountToken: '5' },
  ])('says of no money that an event is about none: %o', (event) => {
    expect(parseHistory(toExactJson({ data: [{ id: 1, ...event }] }))[0]?.money).toBeNull();
  });
});

describe('parseChances', () => {
  it('leaves out chances that are none', () => {
    const forecast_history = [
      { end_period_ts: 1_000, raw_numerical_forecast: 0.71 },
      { end_period_ts: 1_060, raw_numerical_forecast: 1.5 },
      { end_period_ts: 0, raw_numerical_forecast: 0.5 },
    ];
    expect(parseChances(toExactJson({ forecast_history }))).toEqual([{ at: 1_000_000, chance: 710_000n }]);
  });
});

describe('the formats of contracts', () => {
  it('show prices with their cents, chances as shares, and contracts with their unit', () => {
    expect(formatContractPrice(700_000_000n)).toBe('$0.70');
    expect(formatContractPrice(317_510_000n)).toBe('$0.3175');
    expect(formatChance(340_000_000n)).toBe('34%');
    expect(formatContracts(1_000_000n)).toBe('1 contract');
    expect(formatContracts(34_200_620n)).toBe('34.20062 contracts');
  });
});

describe('findOpeningPrice', () => {
  it('finds the price that a round has to beat in its rules', () => {
    const rule =
      'Each token pays 1.00 USDC if … is at or above the opening price of 108,500.00 USD. Otherwise';
    expect(findOpeningPrice([rule])).toBe('$108\u202f500.00');
  });

  it('finds none in other rules', () => {
    expect(findOpeningPrice([])).toBeNull();
    expect(findOpeningPrice(['Whoever wins.', 'the opening price of many USD'])).toBeNull();
  });
});

const MARKET = {
  marketId: 'M',
  title: 'Aldin wins',
  tradable: true,
  pricing: { buyYesPriceUsd: 620_000, sellNoPriceUsd: null },
};
const EVENT = {
  eventId: 'E',
  metadata: { title: 'A game' },
  volumeUsd: '140132500',
  liveScore: { homeTeam: 'Aldin', awayTeam: 'Verhoeven', score: '3.5-2.5', period: 'Game 7' },
  markets: [MARKET, { title: 'without an id' }],
};
