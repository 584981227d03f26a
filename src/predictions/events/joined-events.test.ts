import { describe, expect, it } from 'vitest';
import { HeldEvents } from '../../testing/predictions/held-events.ts';
import { createTestEvent } from '../../testing/predictions/test-events.ts';
import type { PredictionEvent } from '../prediction.ts';
import { joinPredictionEvents } from './joined-events.ts';

describe('joinPredictionEvents', () => {
  it('finds the events and markets of both, and lists those of the first before the others', () => {
    const [one, other] = [createTestEvent(1), createTestEvent(2)];
    const joined = joinPredictionEvents(hold(one), hold(other));
    for (const event of [one, other]) {
      const [market] = event.markets;
      expect(joined.findEvent(event.eventId)).toBe(event);
      expect(joined.findMarket(market?.marketId ?? '')).toBe(market);
      expect(joined.findMarketByHash(market?.marketIdHash ?? '')).toBe(market);
    }
    expect(joined.findEvent('unknown')).toBeNull();
    expect(joined.listEvents()).toEqual([one, other]);
  });

  it('makes a list anew only when one of the two has changed', () => {
    const second = hold();
    const joined = joinPredictionEvents(hold(createTestEvent(1)), second);
    const before = joined.listEvents();
    expect(joined.listEvents()).toBe(before);
    second.put(createTestEvent(2));
    expect(joined.listEvents()).toHaveLength(2);
  });

  it('tells of changes of both until nobody listens any more', () => {
    const parts = [hold(), hold()] as const;
    const told: string[] = [];
    const stop = joinPredictionEvents(...parts).onChange((eventId) => told.push(eventId));
    for (const [index, part] of parts.entries()) part.put(createTestEvent(index));
    stop();
    parts[0].put(createTestEvent(5));
    expect(told).toEqual(['POLY-0', 'POLY-1']);
  });
});

function hold(...events: readonly PredictionEvent[]): HeldEvents {
  const held = new HeldEvents();
  for (const event of events) held.put(event);
  return held;
}
