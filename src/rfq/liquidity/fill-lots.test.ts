import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../testing/random.ts';
import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import {
  decodeFillParams,
  encodeFillParams,
  type FillParams,
  sweepLevels,
} from '../../protocols/rfq-fill/fill-program.ts';
import { computeLots, type Lots, type BookOffer } from './fill-lots.ts';
import { offers } from '../../testing/rfq/offers.ts';

describe('computeLots', () => {
  it('never gives the taker more than was streamed, nor the maker more than an atom per lot', () => {
    let filled = 0;
    assertProperty(
      fc.property(offers(), fc.boolean(), ({ offer, amount }, amountMayDiffer) => {
        const lots = computeLots(offer, amount, amountMayDiffer);
        if (lots === null) return;
        filled++;
        const { one, side } = offer;
        let base = 0n;
        // Beyond these, makers' tools do not know a fill.
        expect(lots.lotSizeBase > 0n && lots.lotSizeBase <= 10n ** 12n).toBe(true);
        expect(lots.levels.length).toBeLessThanOrEqual(5);
        for (const { pxTicks, qtyLots } of lots.levels) {
          expect(pxTicks > 0n && pxTicks <= 10n ** 15n + 1n && qtyLots > 0n).toBe(true);
          base += qtyLots * lots.lotSizeBase;
          const exact = streamedPriceAt(offer, base) * lots.lotSizeBase;
          const favour = side === AggregatorSide.ASK ? exact - pxTicks * one : pxTicks * one - exact;
          expect(favour >= 0n && favour < one).toBe(true);
        }
        const fill = sweepLevels(side, amount, paramsOf(lots));
        if ('error' in fill) throw new Error(fill.error);
        expect([fill.paid, fill.received]).toEqual([lots.paid, lots.received]);
        const [sold, quote] =
          side === AggregatorSide.ASK ? [lots.paid, lots.received] : [lots.received, lots.paid];
        const streamed = streamedQuote(offer, sold);
        if (side === AggregatorSide.ASK) expect(quote * one <= streamed).toBe(true);
        else expect(quote * one >= streamed).toBe(true);
      }),
      SUITE,
    );
    expect(filled).toBeGreaterThan(countCases(SUITE) / 2);
  });

  it('uses all but some millionths of a known amount of an ordinary pair', () => {
    const levels = [150n, 149n, 147n].map((price) => ({
      price: price * 1_000_000n,
      volume: 10_000_000_000n,
    }));
    const offer: BookOffer = { side: AggregatorSide.ASK, levels, one: 1_000_000_000n };
    const amounts = fc.bigInt({ min: 1_000_000_000n, max: 30_000_000_000n });
    assertProperty(
      fc.property(amounts, (amount) => {
        const lots = computeLots(offer, amount, false);
        const best = streamedQuote(offer, amount) / offer.one;
        expect((best - (lots?.received ?? 0n)) * 100_000n <= best).toBe(true);
      }),
      { cases: 2_000, seed: SEED },
    );
  });

  it('pays well for other amounts too if an earlier step feeds the fill, and never more than is reserved', () => {
    const levels = [150n, 149n].map((price) => ({ price: price * 1_000_000n, volume: 100_000_000_000n }));
    for (const side of [AggregatorSide.ASK, AggregatorSide.BID]) {
      const offer: BookOffer = {
        side,
        levels: side === AggregatorSide.ASK ? levels : levels.toReversed(),
        one: 1_000_000_000n,
      };
      const expected = side === AggregatorSide.ASK ? 20_000_000_000n : 3_000_000_000n;
      const lots = computeLots(offer, expected, true);
      if (lots === null) throw new Error('no lots');
      for (const percent of [95n, 99n, 100n, 101n, 102n, 150n]) {
        const amount = (expected * percent) / 100n;
        const fill = sweepLevels(side, amount, paramsOf(lots));
        if ('error' in fill) throw new Error(fill.error);
        expect(fill.received <= lots.most).toBe(true);
        if (percent <= 102n) expect((amount - fill.paid) * 1_000n <= amount).toBe(true);
      }
    }
  });

  it('returns null for more than is offered, for nothing, and for too little', () => {
    const offer: BookOffer = { side: AggregatorSide.ASK, levels: [{ price: 5n, volume: 10n }], one: 10n };
    expect(computeLots(offer, 11n, false)).toBeNull();
    expect(computeLots(offer, 0n, false)).toBeNull();
    expect(computeLots(offer, 1n, false)).toBeNull();
    expect(computeLots({ ...offer, levels: [] }, 5n, false)).toBeNull();
    expect(computeLots(offer, 10n, false)).toMatchObject({ paid: 10n, received: 5n, lotSizeBase: 10n });
  });
});

const SEED = 20_261_121;
const SUITE = { cases: 10_000, seed: SEED };

function paramsOf(lots: Lots): FillParams {
  return decodeFillParams(encodeFillParams({ ...lots, expireAt: 1n }));
}

/** The price of the streamed level that the last of so many base atoms, counted from the best level on, lies on. */
function streamedPriceAt({ levels }: BookOffer, base: bigint): bigint {
  let end = 0n;
  for (const { price, volume } of levels) {
    end += volume;
    if (base <= end) return price;
  }
  throw new Error(`the levels hold ${end}, not ${base}`);
}

/** What the maker streamed for exactly so many base atoms, as a fraction of `one`. */
function streamedQuote({ levels }: BookOffer, base: bigint): bigint {
  let [left, quote] = [base, 0n];
  for (const { price, volume } of levels) {
    const taken = left < volume ? left : volume;
    quote += taken * price;
    left -= taken;
  }
  return quote;
}
