import { describe, expect, it } from 'vitest';
import { MICRO_PER_CONTRACT } from '../../../exchange/exchange.ts';
import { createTestEvent } from '../../../testing/predictions/test-events.ts';
import type { PredictionMarket } from '../../prediction.ts';
import { computeRequired, findCancelOutcome } from './vault-cover.ts';

const house = { startCents: 50, levelContracts: 100n * MICRO_PER_CONTRACT };

describe('computeRequired', () => {
  it('covers the refunds of a market that has halted, in case it is cancelled afterwards', () => {
    const market = createMarket();
    // Both sides were bought dear, and what was cheap was sold on: 100 pairs, which pay 100.00, have cost 150.00.
    const positions = createPositions(100n, 150n);
    expect(findCancelOutcome(positions, market)).toBe(3);
    expect(computeRequired(positions, [market], () => false)).toBe(150n * MICRO_PER_CONTRACT);
  });

  it('covers the larger side alone of one whose refunds the market itself does not pay', () => {
    const market = createMarket({ ...house, levelContracts: 0n });
    const positions = createPositions(100n, 150n);
    expect(findCancelOutcome(positions, market)).toBe(2);
    expect(computeRequired(positions, [market], () => false)).toBe(100n * MICRO_PER_CONTRACT);
  });
});

function createMarket(terms: PredictionMarket['house'] = house): PredictionMarket {
  const [market] = createTestEvent(1).markets;
  if (market === undefined) throw new Error('the event has no market');
  return { ...market, house: terms };
}

/** Positions of pairs of contracts, which together have cost so many dollars. */
function createPositions(pairs: bigint, dollars: bigint) {
  const contracts = pairs * MICRO_PER_CONTRACT;
  return {
    sumOf: () => ({ yes: contracts, no: contracts, cost: dollars * MICRO_PER_CONTRACT }),
    findResult: () => null,
  };
}
