import fc from 'fast-check';
import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import type { BookOffer } from '../../rfq/liquidity/fill-lots.ts';

/** Five levels at most of any pair, on either side, and an amount that they mostly take. */
export function offers(decimals: { readonly min: number; readonly max: number } = { min: 0, max: 12 }) {
  const amounts = (digits: number) =>
    fc
      .integer({ min: 0, max: digits })
      .chain((power) => fc.bigInt({ min: 1n, max: 10n ** BigInt(power + 1) }));
  const level = fc.record({ step: fc.bigInt({ min: 0n, max: 300n }), volume: amounts(14) });
  return fc
    .record({
      side: fc.constantFrom(AggregatorSide.BID, AggregatorSide.ASK),
      price: amounts(13),
      levels: fc.array(level, { minLength: 1, maxLength: 5 }),
      decimals: fc.integer(decimals),
      share: fc.integer({ min: 0, max: 1_010 }),
    })
    .map(({ side, price, levels, decimals: places, share }) => {
      const one = 10n ** BigInt(places);
      let at = price;
      const offered = levels.map(({ step, volume }) => {
        at = side === AggregatorSide.BID ? at + (at * step) / 10_000n : at - (at * step) / 10_000n;
        return { price: at, volume };
      });
      const depth = offered.reduce(
        (sum, each) => sum + (side === AggregatorSide.ASK ? each.volume : (each.price * each.volume) / one),
        0n,
      );
      const offer: BookOffer = { side, levels: offered, one };
      return { offer, amount: (depth * BigInt(share)) / 1_000n };
    });
}
