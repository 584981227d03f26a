import { describe, expect, it } from 'vitest';
import { computeHouseWorstLoss } from '../../exchange/house.ts';
import { DEFAULT_HOUSE, findEventFault } from '../../predictions/events/event-terms.ts';
import { EVENT_CATEGORIES } from '../../predictions/prediction.ts';
import { PREDICTION_HOUSE_FUNDS } from '../../protocols/jupiter-prediction/genesis.ts';
import { findDemoScore, listDemoEvents } from './prediction-events.ts';

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

  it('has a score for a game that is played when the network begins', () => {
    const played = listDemoEvents(NOW).filter(({ eventId = '' }) => findDemoScore(eventId) !== null);
    expect(played.map(({ title, beginAt }) => [title, beginAt])).toEqual([['Aldin against Verhoeven', NOW]]);
    expect(findDemoScore('DEMO-1013')).toMatchObject({ score: '3.5-2.5', state: 'live' });
    expect(findDemoScore('none')).toBeNull();
  });

  it('leaves the house most of its money for the markets of others, whatever it loses', () => {
    const markets = listDemoEvents(NOW).flatMap((event) => event.markets);
    const losses = markets.map(({ house }) => computeHouseWorstLoss(house ?? DEFAULT_HOUSE, 0n));
    const worst = losses.reduce((sum, loss) => sum + loss, 0n);
    expect(losses.every((loss) => loss > 0n)).toBe(true);
    expect(worst * 4n).toBeLessThan(PREDICTION_HOUSE_FUNDS);
  });
});
