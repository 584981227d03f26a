import { WINDOW_MINUTES, WINDOW_NAMES, type WindowName } from '../../market-data/trades/trade.ts';

/** How many owners a token had from a minute on. */
export interface HolderPoint {
  readonly minute: number;
  readonly count: number;
}

/** The changes of how many owners a token has, oldest first. What is older than the longest window is left out. */
export type HolderHistory = HolderPoint[];

/**
 * By age, how many minutes share one point: a window knows its beginning to a sixtieth of its length, and to a minute at
 * best. So a token has at most some 160 points, however often it changes hands.
 */
const RESOLUTIONS = [
  { from: WINDOW_MINUTES['1h'], minutes: WINDOW_MINUTES['6h'] / 60 },
  { from: WINDOW_MINUTES['6h'], minutes: WINDOW_MINUTES['24h'] / 60 },
] as const;

/**
 * Records how many owners a token has now.
 *
 * @param minute - By the clock of the network. If the clock was set back, what was recorded of later minutes is forgotten.
 * @param hasRoom - Whether the history may become longer; otherwise the oldest point makes room, and the longer windows
 *   become unknown.
 */
export function recordHolders(history: HolderHistory, minute: number, count: number, hasRoom: boolean): void {
  while ((history.at(-1)?.minute ?? minute) > minute) history.pop();
  const last = history.at(-1);
  if (last?.count === count) return;
  if (last?.minute === minute) history.pop();
  history.push({ minute, count });
  thinOut(history, minute);
  if (!hasRoom && history.length > 1) history.shift();
}

/** Returns by how much the number of owners changed in each window, in percent; null where it is not known. */
export function computeHolderChanges(
  history: HolderHistory,
  minute: number,
  count: number,
): Readonly<Record<WindowName, number | null>> {
  const changes = WINDOW_NAMES.map((window) => {
    const before = countAt(history, minute - WINDOW_MINUTES[window]);
    return [window, before === null || before === 0 ? null : ((count - before) / before) * 100];
  });
  return Object.fromEntries(changes) as Record<WindowName, number | null>;
}

/** Returns null for a minute before the first point. */
function countAt(history: HolderHistory, minute: number): number | null {
  for (let at = history.length - 1; at >= 0; at--) {
    const point = history[at] as HolderPoint;
    if (point.minute <= minute) return point.count;
  }
  return null;
}

/** Keeps the last point of each slot, and one point before the longest window: the number with which the window begins. */
function thinOut(history: HolderHistory, now: number): void {
  const kept: HolderPoint[] = [];
  for (const [at, point] of history.entries()) {
    const next = history[at + 1];
    if (next === undefined || !isReplacedBy(point, next, now)) kept.push(point);
  }
  history.splice(0, history.length, ...kept);
}

function isReplacedBy(point: HolderPoint, next: HolderPoint, now: number): boolean {
  const age = now - next.minute;
  if (age >= WINDOW_MINUTES['24h']) return true;
  const slot = RESOLUTIONS.findLast(({ from }) => age >= from)?.minutes ?? 1;
  return Math.floor(point.minute / slot) === Math.floor(next.minute / slot);
}
