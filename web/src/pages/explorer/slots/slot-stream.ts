import { shape, type ShapeValue } from '../../../base/json-shape.ts';

const readSlot = shape.object({
  slot: shape.number,
  time: shape.nullable(shape.number),
  blockhash: shape.nullable(shape.text),
  transactions: shape.nullable(shape.number),
  failed: shape.nullable(shape.number),
  last: shape.list(shape.object({ signature: shape.text, isFailed: shape.flag })),
});

const readBatch = shape.object({
  head: shape.object({
    processed: shape.number,
    confirmed: shape.number,
    finalized: shape.number,
    height: shape.number,
    epoch: shape.number,
    time: shape.number,
  }),
  slots: shape.list(readSlot),
});

/** Slots that arrived together, and where the network is. What an outside RPC does not tell is null. */
export type SlotBatch = ShapeValue<typeof readBatch>;
/** A confirmed slot. */
export type LiveSlot = SlotBatch['slots'][number];

/** Reads an event of the stream of slots; null if it is none. */
export function parseSlotBatch(data: string): SlotBatch | null {
  try {
    return readBatch(JSON.parse(data));
  } catch {
    return null;
  }
}

/** The slots that are kept: a minute of slots of 400 ms. */
const KEPT = 150;

/** Appends slots that are newer than those that are there, and keeps the newest. */
export function appendSlots(kept: readonly LiveSlot[], slots: readonly LiveSlot[]): readonly LiveSlot[] {
  const newest = kept.at(-1)?.slot ?? -1;
  const fresh = slots.filter(({ slot }) => slot > newest);
  return fresh.length === 0 ? kept : [...kept, ...fresh].slice(-KEPT);
}

const MINUTE_S = 60;

/** What the slots of the last minute add up to. */
export interface SlotTotals {
  readonly transactions: number;
  readonly failed: number;
  /** Null where the network's clock does not tell: it may stand still, or have been set. */
  readonly perSecond: number | null;
}

/** Adds up the slots of the last minute of the network's clock; null if nothing is known of them. */
export function sumSlots(slots: readonly LiveSlot[]): SlotTotals | null {
  const end = slots.at(-1)?.time ?? null;
  if (end === null) return null;
  const recent = slots.filter(
    ({ time, transactions }) => transactions !== null && time !== null && time > end - MINUTE_S,
  );
  if (recent.length === 0) return null;
  const transactions = recent.reduce((sum, slot) => sum + (slot.transactions ?? 0), 0);
  const failed = recent.reduce((sum, slot) => sum + (slot.failed ?? 0), 0);
  const seconds = end - (recent[0]?.time ?? end);
  return { transactions, failed, perSecond: seconds > 0 ? transactions / seconds : null };
}
