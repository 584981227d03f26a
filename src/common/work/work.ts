import { Unavailable } from '../unavailable.ts';

/** Units of one turn. A turn is what runs on a thread before the others that wait for it get their chance. */
export const UNITS_PER_TURN = 64;
/** Bytes that count as one unit. A turn therefore ends after 64 accounts or items, or after 256 kB, whatever comes first. */
export const BYTES_PER_UNIT = 4_096;

/**
 * The work of one party on this thread. It is counted before it is done, so that a list is cut before it is copied or
 * decoded.
 *
 * @example
 * ```ts
 * import { visitInTurns, type Work } from './work.ts';
 *
 * async function totalOf(amounts: readonly bigint[], work: Work): Promise<bigint> {
 *   let total = 0n;
 *   await visitInTurns(work, amounts, (amount) => {
 *     total += amount;
 *   });
 *   return total;
 * }
 * ```
 */
export interface Work {
  /**
   * Counts what is done next.
   *
   * @param units - At least 1. What has more units than a turn gets a turn of its own.
   * @returns null if it belongs to the current turn; otherwise a promise that resolves when the next turn begins, and rejects
   *   with `WorkRefused` if there is none for it
   */
  take(units: number): Promise<void> | null;
}

/** Thrown by work whose party has used more than its share of the thread, or that nobody waits for any more. */
export class WorkRefused extends Unavailable {
  override readonly name = 'WorkRefused';
}

/** Returns the units of an account, an item or a text of so many bytes. */
export function toWorkUnits(bytes: number): number {
  return bytes <= BYTES_PER_UNIT ? 1 : Math.ceil(bytes / BYTES_PER_UNIT);
}

/** Cuts work into turns. What begins a turn is passed in. */
export class TurnedWork implements Work {
  readonly #nextTurn: (units: number) => Promise<void>;
  #left: number;

  /**
   * @param nextTurn - Resolves when the next turn begins, which has so many units at least.
   * @param left - Units of the current turn. Default: the current turn is the first one of this work.
   */
  constructor(nextTurn: (units: number) => Promise<void>, left: number = UNITS_PER_TURN) {
    this.#nextTurn = nextTurn;
    this.#left = left;
  }

  take(units: number): Promise<void> | null {
    if (units <= this.#left) {
      this.#left -= units;
      return null;
    }
    this.#left = Math.max(0, UNITS_PER_TURN - units);
    return this.#nextTurn(units);
  }
}

/** Work that nobody accounts for: it gives way to everything else that can run after each turn. */
export function createUnaccountedWork(): Work {
  return new TurnedWork(() => new Promise((resolve) => setImmediate(resolve)));
}

/**
 * Visits each item in turns.
 *
 * @param bytesOf - The bytes that visiting an item copies, decodes or writes. Default: less than a unit.
 */
export async function visitInTurns<Item>(
  work: Work,
  items: Iterable<Item>,
  visit: (item: Item, index: number) => void,
  bytesOf: (item: Item) => number = () => 0,
): Promise<void> {
  let index = 0;
  for (const item of items) {
    const turn = work.take(toWorkUnits(bytesOf(item)));
    if (turn !== null) await turn;
    visit(item, index++);
  }
}

/** Computes something of each item in turns. */
export async function mapInTurns<Item, Result>(
  work: Work,
  items: Iterable<Item>,
  compute: (item: Item, index: number) => Result,
  bytesOf?: (item: Item) => number,
): Promise<Result[]> {
  const results: Result[] = [];
  await visitInTurns(work, items, (item, index) => results.push(compute(item, index)), bytesOf);
  return results;
}

/** Comparisons are cheap: so many are one unit. */
const COMPARED_PER_UNIT = 16;

/** Sorts a list in turns, by merging. The order of equal items is kept. */
export async function sortInTurns<Item>(
  work: Work,
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  let sorted: Item[][] = [...splitIntoPieces(items)].map((piece) => [...piece].sort(compare));
  while (sorted.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < sorted.length; at += 2) {
      merged.push(await mergeInTurns(work, sorted[at] ?? [], sorted[at + 1] ?? [], compare));
    }
    sorted = merged;
  }
  return sorted[0] ?? [];
}

async function mergeInTurns<Item>(
  work: Work,
  left: readonly Item[],
  right: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  const merged: Item[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (fromLeft < left.length || fromRight < right.length) {
    if (merged.length % COMPARED_PER_UNIT === 0) {
      const turn = work.take(1);
      if (turn !== null) await turn;
    }
    const isLeft =
      fromRight === right.length ||
      (fromLeft < left.length && compare(left[fromLeft] as Item, right[fromRight] as Item) <= 0);
    merged.push((isLeft ? left[fromLeft++] : right[fromRight++]) as Item);
  }
  return merged;
}

/** Cuts a list into pieces that each fit a turn. */
export function* splitIntoPieces<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number = () => 0,
): Generator<readonly Item[]> {
  let piece: Item[] = [];
  let units = 0;
  for (const item of items) {
    const more = toWorkUnits(bytesOf(item));
    if (piece.length > 0 && units + more > UNITS_PER_TURN) {
      yield piece;
      piece = [];
      units = 0;
    }
    piece.push(item);
    units += more;
  }
  if (piece.length > 0) yield piece;
}
