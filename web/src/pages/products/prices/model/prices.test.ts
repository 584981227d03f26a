import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../../src/testing/random.ts';
import { parseExactJson, toExactJson } from '../../../../base/exact-json.ts';
import { parseInterval, readCandles } from './read-candles.ts';
import { readPriceSources } from './read-price-sources.ts';
import { applyPriceEvent, readPrices } from './read-prices.ts';
import { readTrade } from './read-trades.ts';

describe('readPrices', () => {
  it('reads a price as it was written, and no price where there is none', () => {
    const text = `{"${SOL}":{"usdPrice":200.00000000000026,"priceChange24h":-1.29,"blockId":null},"${USDC}":null,"x":{"usdPrice":1}}`;
    const prices = readPrices(toExact(text));
    expect([...prices.keys()]).toEqual([SOL]);
    expect(prices.get(SOL)).toMatchObject({
      price: 200_000_000_000_000_260_000n,
      change: -12_900n,
      slot: null,
    });
  });

  it.each(['0', '-1', '1e999', '"x"', 'null', '{}'])('takes %s for no price', (price) => {
    expect(readPrices(toExact(`{"${SOL}":{"usdPrice":${price}}}`)).size).toBe(0);
  });
});

describe('applyPriceEvent', () => {
  it('keeps what the stream does not say', () => {
    const before = readPrices(toExact(`{"${SOL}":{"usdPrice":200,"liquidity":5,"blockId":7}}`));
    const after = applyPriceEvent(before, `{"${SOL}":{"usdPrice":192,"blockId":9}}`);
    expect(after.get(SOL)).toMatchObject({ price: 192n * 10n ** 18n, liquidity: 5_000_000_000n, slot: 9n });
    expect(applyPriceEvent(before, 'no JSON')).toBe(before);
    expect(applyPriceEvent(before, '{}')).toBe(before);
  });
});

describe('readCandles', () => {
  it('puts candles in order, without those that lack a price', () => {
    const candle = { open: 1, high: 3, low: 1, close: 2, volume: 5, trades: 1 };
    const candles = readCandles(
      toExactJson({
        candles: [
          { ...candle, time: 120 },
          { ...candle, time: 60, volume: undefined },
          { ...candle, time: 180, low: null },
        ],
      }),
    );
    expect(candles.map(({ time, volume }) => [time, volume])).toEqual([
      [60_000, undefined],
      [120_000, 5],
    ]);
    expect(candles[1]?.texts).toEqual({
      open: '$1.00',
      high: '$3.00',
      low: '$1.00',
      close: '$2.00',
      volume: '$5.00',
    });
  });

  it('shows a price that stands still as one, whatever the last digits of its doubles are', () => {
    const [candle] = readCandles(
      toExactJson({
        candles: [{ time: 60, open: 0.49000000000010363, high: 0.4900000000002, low: 0.49, close: 0.49 }],
      }),
    );
    expect(candle).toMatchObject({ open: 0.49, high: 0.49, low: 0.49, close: 0.49 });
  });

  it('knows its intervals only', () => {
    expect(['5m', undefined, '2h', '__proto__'].map(parseInterval)).toEqual(['5m', '1m', '1m', '1m']);
  });
});

describe('readTrade', () => {
  it('tells a buy from a sale, with amounts beyond 2^53', () => {
    const trade = {
      inputMint: USDC,
      inputAmount: '19997200',
      outputMint: SOL,
      outputAmount: '18446744073709551615',
      venue: 'A\u202eB',
      timestamp: 5,
    };
    expect(readTrade(JSON.stringify(trade), SOL)).toMatchObject({
      isBuy: true,
      amount: 18446744073709551615n,
      otherMint: USDC,
      venue: 'AB',
      time: 5_000,
      pool: null,
      signature: null,
    });
    expect(readTrade(JSON.stringify(trade), USDC)).toMatchObject({ isBuy: false, amount: 19_997_200n });
    expect(readTrade(JSON.stringify(trade), JUP)).toBeNull();
  });
});

describe('the readers of prices', () => {
  it('take any answer without failing', () => {
    const odd = fc.oneof(fc.jsonValue(), fc.constant('18446744073709551616'), fc.constant(SOL));
    const entry = fc.dictionary(
      fc.constantFrom(
        'usdPrice',
        'time',
        'open',
        'high',
        'low',
        'close',
        'volume',
        'inputMint',
        'outputMint',
        'inputAmount',
        'extraInfo',
        'depth',
      ),
      odd,
    );
    assertProperty(
      fc.property(
        fc.oneof(
          odd,
          fc.record({ candles: fc.array(entry), data: fc.record({ [SOL]: fc.record({ extraInfo: odd }) }) }),
          fc.record({ [SOL]: entry }),
        ),
        (body) => {
          const value = toExactJson(body);
          readPrices(value);
          readCandles(value);
          readPriceSources(value, SOL);
          readTrade(JSON.stringify(body), SOL);
        },
      ),
      { cases: 1_000, seed: 4_505 },
    );
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';

function toExact(text: string) {
  const reading = parseExactJson(text);
  return reading.ok ? reading.value : undefined;
}
