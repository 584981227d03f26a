import type { NewPredictionEvent } from '../../predictions/events/event-terms.ts';
import { buildPredictionEvent } from '../../predictions/events/build-event.ts';
import type { PredictionEvent } from '../../predictions/prediction.ts';
import type { MakeChange } from '../../store/audited-change.ts';
import type { Store } from '../../store/index.ts';

/** The second in which test events are created. */
export const CREATED_AT = 1_800_000_000;

const DAY_SECONDS = 86_400;

/** Describes an event with two markets that closes after ten days. */
export function describeTestEvent(
  number: number,
  change: Partial<NewPredictionEvent> = {},
): NewPredictionEvent {
  return {
    eventId: `POLY-${number}`,
    title: `Event ${number}`,
    category: 'crypto',
    closeAt: CREATED_AT + 10 * DAY_SECONDS,
    markets: [
      { marketId: `POLY-${number}-a`, title: 'Above' },
      { marketId: `POLY-${number}-b`, title: 'Below' },
    ],
    ...change,
  };
}

/** Creates an event as it would be created in the second `CREATED_AT`, without writing it. */
export function createTestEvent(
  number: number,
  change: Partial<NewPredictionEvent> = {},
  now = CREATED_AT,
): PredictionEvent {
  return buildPredictionEvent(describeTestEvent(number, change), {
    now,
    network: 'n',
    drawNumber: () => number,
  });
}

/** Makes changes without writing them into the audit log. */
export function createTestChanges(store: Store): MakeChange {
  return (work) => store.transaction(async (db) => (await work(db)).result);
}
