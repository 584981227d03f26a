import { describe, expect, it } from 'vitest';
import { createTestEvent } from '../../testing/predictions/test-events.ts';
import type { PredictionEvent, PredictionEvents } from '../prediction.ts';
import { joinPredictionEvents } from './joined-events.ts';

describe('joinPredictionEvents', () => {
  it('finds the events and markets of both, and lists those of the first before the others', () => {
    const [one, other] = [createTestEvent(1), createTestEvent(2)];
    const joined = joinPredictionEvents(new HeldEvents([one]), new HeldEvents([other]));
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
    const second = new HeldEvents([]);
    const joined = joinPredictionEvents(new HeldEvents([createTestEvent(1)]), second);
    const before = joined.listEvents();
    expect(joined.listEvents()).toBe(before);
    second.put(createTestEvent(2));
    expect(joined.listEvents()).toHaveLength(2);
  });

  it('tells of changes of both until nobody listens any more', () => {
    const parts = [new HeldEvents([]), new HeldEvents([])] as const;
    const told: string[] = [];
    const stop = joinPredictionEvents(...parts).onChange((eventId) => told.push(eventId));
    for (const [index, part] of parts.entries()) part.put(createTestEvent(index));
    stop();
    parts[0].put(createTestEvent(5));
    expect(told).toEqual(['POLY-0', 'POLY-1']);
  });
});

class HeldEvents implements PredictionEvents {
  readonly #listeners = new Set<(eventId: string) => void>();
  #events: readonly PredictionEvent[];

  constructor(events: readonly PredictionEvent[]) {
    this.#events = events;
  }

  readonly findEvent: PredictionEvents['findEvent'] = (id) =>
    this.#events.find(({ eventId }) => eventId === id) ?? null;
  readonly findMarket: PredictionEvents['findMarket'] = (id) =>
    this.#markets.find(({ marketId }) => marketId === id) ?? null;
  readonly findMarketByHash: PredictionEvents['findMarketByHash'] = (hash) =>
    this.#markets.find(({ marketIdHash }) => marketIdHash === hash) ?? null;
  readonly listEvents = () => this.#events;
  readonly onChange: PredictionEvents['onChange'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  put(event: PredictionEvent): void {
    this.#events = [...this.#events, event];
    for (const listener of this.#listeners) listener(event.eventId);
  }

  get #markets() {
    return this.#events.flatMap(({ markets }) => markets);
  }
}
