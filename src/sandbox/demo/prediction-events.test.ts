import { describe, expect, it } from 'vitest';
import { findEventFault } from '../../predictions/events/event-terms.ts';
import { EVENT_CATEGORIES } from '../../predictions/prediction.ts';
import { PREDICTION_HOUSE_FUNDS } from '../../protocols/jupiter-prediction/genesis.ts';
import { listDemoEvents } from './prediction-events.ts';

const NOW = 1_790_000_000;

describe('listDemoEvents', () => {
  it('has events of every category, which can be created', () => {
    const events = listDemoEvents(NOW);
    expect(events.map((event) => findEventFault(event, NOW))).toEqual(events.map(() => null));
    expect(new Set(events.map(({ category }) => category))).toEqual(new Set(EVENT_CATEGORIES));
  });

  it('has the same ids at any time, each once', () => {
    const ids = (now: number) =>
      listDemoEvents(now).flatMap(({ eventId, markets }) => [
        eventId,
        ...markets.map(({ marketId }) => marketId),
      ]);
    expect(ids(NOW)).toEqual(ids(NOW + 12_345));
    expect(new Set(ids(NOW)).size).toBe(ids(NOW).length);
  });

  it('closes between two days and sixty later', () => {
    const days = listDemoEvents(NOW).map(({ closeAt }) => (closeAt - NOW) / 86_400);
    expect([Math.min(...days), Math.max(...days)]).toEqual([2.25, 60]);
  });

  it('can lose no more than the house has, even if it lost all that it offers on every market', () => {
    const levels = listDemoEvents(NOW).flatMap(({ markets }) =>
      markets.map(({ house }) => house?.levelContracts ?? 0n),
    );
    // A contract at each cent, of which each loses its price or what is missing to a dollar.
    const lost = levels.reduce((sum, level) => sum + (level * 99n) / 2n, 0n);
    expect(lost).toBeGreaterThan(0n);
    expect(lost).toBeLessThan(PREDICTION_HOUSE_FUNDS);
  });
});
