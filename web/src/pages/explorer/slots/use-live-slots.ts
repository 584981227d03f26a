import { useRef, useState } from 'react';
import { type EventSourceState, useEventSource } from '../../../parts/live/use-event-source.ts';
import { type SampledFeed, useSampledFeed } from '../../../parts/live/use-sampled-feed.ts';
import { appendSlots, type LiveSlot, parseSlotBatch, type SlotBatch } from './slot-stream.ts';

/** A confirmed transaction of the stream. */
export interface LiveTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly time: number | null;
  readonly isFailed: boolean;
}

/** The newest slots of the network, and their transactions as a feed. */
export interface LiveSlots {
  readonly source: EventSourceState;
  /** Oldest first. */
  readonly slots: readonly LiveSlot[];
  readonly head: SlotBatch['head'] | null;
  readonly transactions: SampledFeed<LiveTransaction>;
}

interface ShownSlots {
  readonly slots: readonly LiveSlot[];
  readonly head: SlotBatch['head'] | null;
}

const PATH = '/portal/data/slots/stream';
/** What the stream begins with is older: no more of it is listed than somebody would read. */
const MAX_FIRST = 50;

/** Follows the slots of the network while the component is there. */
export function useLiveSlots(): LiveSlots {
  const transactions = useSampledFeed<LiveTransaction>();
  const [live, setLive] = useState<ShownSlots>({ slots: [], head: null });
  // Several events may arrive between two drawings.
  const kept = useRef<readonly LiveSlot[]>([]);
  const source = useEventSource(PATH, (events) => {
    const batches = events.flatMap(({ data }) => parseSlotBatch(data) ?? []);
    const last = batches.at(-1);
    if (last === undefined) return;
    const newest = kept.current.at(-1)?.slot ?? -1;
    const slots = batches.reduce((all, batch) => appendSlots(all, batch.slots), kept.current);
    kept.current = slots;
    const fresh = slots.filter(({ slot }) => slot > newest).flatMap(listTransactions);
    transactions.push(newest === -1 ? fresh.slice(-MAX_FIRST) : fresh);
    setLive({ slots, head: last.head });
  });
  return { source, ...live, transactions };
}

function listTransactions({ slot, time, last }: LiveSlot): readonly LiveTransaction[] {
  return last.map((each) => ({ ...each, slot, time }));
}
