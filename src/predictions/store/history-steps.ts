import type { PredictionHistoryEvent } from '../lists/prediction-lists.ts';
import { toHour } from './totals/trading-periods.ts';

/** What an event of the program says. The market is null if the event does not name it. */
export interface PredictionHistoryStep extends Omit<PredictionHistoryEvent, 'id' | 'marketIdHash'> {
  readonly marketIdHash: string | null;
}

/** What was traded on a market in an hour, in micro USD. */
export interface HourlyVolume {
  readonly marketIdHash: string;
  /** Hours since 1970. */
  readonly hour: number;
  readonly amount: bigint;
}

/**
 * Numbers events in the order in which they landed. An event of a position that does not name its market belongs to the fill
 * before it in the same transaction. Without one it is left out, because nobody can tell what it is about.
 *
 * @param entries - How many events have got a number.
 */
export function toHistoryEvents(
  steps: readonly PredictionHistoryStep[],
  entries: number,
): readonly PredictionHistoryEvent[] {
  const numbered: PredictionHistoryEvent[] = [];
  for (const step of steps) {
    const named = step.marketIdHash === null ? findFill(step, numbered) : step;
    if (named === null || named.marketIdHash === null) continue;
    const { isBuy, marketIdHash } = named;
    numbered.push({ ...step, isBuy, marketIdHash, id: entries + numbered.length + 1 });
  }
  return numbered;
}

/** Adds up what fills have traded: what contracts cost their buyers, and what they brought their sellers, before fees. */
export function sumVolumes(events: readonly PredictionHistoryEvent[]): readonly HourlyVolume[] {
  const volumes = new Map<string, HourlyVolume>();
  for (const event of events) {
    if (event.eventType !== 'order_filled') continue;
    const { marketIdHash, isBuy, totalCost, grossProceeds } = event;
    const hour = toHour(event.timestamp);
    const key = `${marketIdHash} ${hour}`;
    const amount = (volumes.get(key)?.amount ?? 0n) + (isBuy ? totalCost : grossProceeds);
    volumes.set(key, { marketIdHash, hour, amount });
  }
  return [...volumes.values()];
}

function findFill(
  { position, signature }: PredictionHistoryStep,
  before: readonly PredictionHistoryEvent[],
): PredictionHistoryEvent | null {
  return (
    before.findLast(
      (each) =>
        each.signature === signature && each.position === position && each.eventType === 'order_filled',
    ) ?? null
  );
}
