import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../testing/random.ts';
import { computeHouseWorstLoss, createHouseLadder, findHouseAsk, findHouseBid } from './house.ts';

describe('the house', () => {
  const ladder = createHouseLadder({ startCents: 50, levelContracts: 1_000_000n });

  it('sells a cent above its start, and buys a cent below it', () => {
    expect(findHouseAsk(ladder, 0)).toEqual({ price: 510, lots: 100 });
    expect(findHouseBid(ladder, 0)).toEqual({ price: 490, lots: 100 });
  });

  it('buys back what it has sold for a cent less', () => {
    expect(findHouseAsk(ladder, 130)).toEqual({ price: 520, lots: 70 });
    expect(findHouseBid(ladder, 130)).toEqual({ price: 510, lots: 30 });
    expect(findHouseBid(ladder, 100)).toEqual({ price: 500, lots: 100 });
  });

  it('uses no price below one cent and none above 99', () => {
    expect(findHouseAsk(ladder, 4_899)).toEqual({ price: 990, lots: 1 });
    expect(findHouseAsk(ladder, 4_900)).toBeNull();
    expect(findHouseBid(ladder, -4_899)).toEqual({ price: 10, lots: 1 });
    expect(findHouseBid(ladder, -4_900)).toBeNull();
    expect(findHouseAsk(createHouseLadder({ startCents: 99, levelContracts: 10_000n }), 0)).toBeNull();
    expect(findHouseBid(createHouseLadder({ startCents: 1, levelContracts: 10_000n }), 0)).toBeNull();
  });

  it('offers nothing without contracts, and loses nothing then', () => {
    const none = { startCents: 50, levelContracts: 0n };
    expect(findHouseAsk(createHouseLadder(none), 0)).toBeNull();
    expect(findHouseBid(createHouseLadder(none), 0)).toBeNull();
    expect(computeHouseWorstLoss(none, 0n)).toBe(0n);
  });
});

describe('computeHouseWorstLoss', () => {
  it('adds up the levels of the dearer direction', () => {
    // Sold at 51 to 99 cents, a contract each, and yes wins: 49 + 48 + ... + 1 cents.
    expect(computeHouseWorstLoss({ startCents: 50, levelContracts: 1_000_000n }, 0n)).toBe(12_250_000n);
    expect(computeHouseWorstLoss({ startCents: 1, levelContracts: 1_000_000n }, 0n)).toBe(48_510_000n);
    expect(computeHouseWorstLoss({ startCents: 99, levelContracts: 1_000_000n }, 0n)).toBe(48_510_000n);
  });

  it('is the most that any way along the ladder loses, from any place on it', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 99 }),
      fc.integer({ min: 1, max: 3 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (startCents, level, part) => {
        const terms = { startCents, levelContracts: BigInt(level) * 10_000n };
        const [lowest, highest] = [(1 - startCents) * level, (99 - startCents) * level];
        const from = lowest + Math.floor(part * (highest - lowest));
        const worst = Math.max(loseAlong(terms, from, highest), loseAlong(terms, from, lowest));
        expect(computeHouseWorstLoss(terms, BigInt(from) * 10_000n)).toBe(BigInt(worst) * 10n);
      },
    );
    assertProperty(property, { cases: 300, seed: 4_209, against: 'all ways along the ladder' });
  });
});

/**
 * Returns by how much what the vault has beyond the payouts of yes or of no falls, at most, when the house trades a lot at a
 * time from one place to another: in thousandths of a dollar for a lot of a hundredth contract, which are ten micro USD.
 */
function loseAlong(terms: Parameters<typeof createHouseLadder>[0], from: number, to: number): number {
  const ladder = createHouseLadder(terms);
  let worst = 0;
  let beyond = 0;
  for (let net = from; net !== to; ) {
    const isUp = to > net;
    const offer = isUp ? findHouseAsk(ladder, net) : findHouseBid(ladder, net);
    if (offer === null) throw new Error('the ladder ends early');
    const before = Math.max(net, 0);
    net += isUp ? 1 : -1;
    // Only yes contracts are counted: the house pays for those that it buys back, which may be as if they were no contracts.
    beyond += (isUp ? offer.price : -offer.price) - 1_000 * (Math.max(net, 0) - before);
    worst = Math.max(worst, -beyond);
  }
  return worst;
}
