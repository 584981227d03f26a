import type { LiveBook } from '../books/live-book.ts';
import type { CheckDependencies } from './trials/check-dependencies.ts';
import { reportFailed, reportPassed, type CheckVerdict } from './trials/report.ts';
import { waitForCondition } from './trials/waits.ts';

/** A maker must stream a new snapshot within this time while the check watches. */
export const QUOTE_WITHIN_MS = 15_000;
/** The number of snapshots that are watched. */
const SNAPSHOTS = 2;

export function checkConnection(
  {
    makers,
    swapConnections,
    quoteStreams,
  }: Pick<CheckDependencies, 'makers' | 'swapConnections' | 'quoteStreams'>,
  makerId: string,
): CheckVerdict {
  const maker = makers.get(makerId);
  if (maker === null) return reportFailed(`there is no maker ${makerId}`);
  const { status, blockedBy } = maker;
  if (blockedBy !== null) return reportFailed(`it is ${status}: ${blockedBy}`);
  if (!swapConnections.isLive(makerId)) return reportFailed('it has no swap stream open here');
  if (!quoteStreams.isLive(makerId)) return reportFailed('it has no quote stream open here');
  return reportPassed(
    `status ${status}, swap stream and quote stream open, ${quoteStreams.unread(makerId)} acks unread`,
  );
}

/** The snapshots that were checked since `countJudgedSince` was called. */
export interface JudgedSnapshots {
  readonly accepted: number;
  /** The number of snapshots that were refused, by condition. */
  readonly refused: ReadonlyMap<string, number>;
}

export function countJudgedSince(
  { makers }: Pick<CheckDependencies, 'makers'>,
  makerId: string,
): () => JudgedSnapshots {
  const counts = () => {
    const { accepted = 0, rejected = {} } = makers.get(makerId)?.statistics ?? {};
    return { accepted, rejected: Object.entries(rejected) };
  };
  const before = counts();
  const known = new Map(before.rejected);
  return () => {
    const now = counts();
    const more = now.rejected.map(([why, count]) => [why, count - (known.get(why) ?? 0)] as const);
    return {
      accepted: now.accepted - before.accepted,
      refused: new Map(more.filter(([, count]) => count > 0)),
    };
  };
}

export function formatRefused({ refused }: JudgedSnapshots): string {
  return [...refused].map(([why, count]) => `${count} by ${why}`).join(', ');
}

export async function checkStreamedQuotes(
  dependencies: Pick<CheckDependencies, 'timers' | 'makers' | 'books'>,
  makerId: string,
): Promise<CheckVerdict> {
  const { timers, makers } = dependencies;
  const judged = countJudgedSince(dependencies, makerId);
  const from = makers.get(makerId)?.lastSequence ?? 0n;
  const count = () => judged().accepted + judged().refused.size;
  await waitForCondition(timers, QUOTE_WITHIN_MS, () => count() >= SNAPSHOTS);
  const { accepted, refused } = judged();
  if (refused.size > 0) return reportFailed(`snapshots were refused: ${formatRefused(judged())}`);
  if (accepted === 0) return reportFailed(`no snapshot came within ${QUOTE_WITHIN_MS / 1_000} s`);
  const books = listMakerBooks(dependencies, makerId);
  if (books.length === 0) return reportFailed('its snapshots leave no book in the market');
  const last = makers.get(makerId)?.lastSequence ?? 0n;
  return reportPassed(
    `${accepted} snapshots accepted, sequence number ${from} to ${last}; ${books.map(bookText).join('; ')}`,
  );
}

export function listMakerBooks(
  { books, timers }: Pick<CheckDependencies, 'books' | 'timers'>,
  makerId: string,
): LiveBook[] {
  return [...books.all(timers.now())].filter((book) => book.makerId === makerId);
}

function bookText({ base, quote, bids, asks }: LiveBook): string {
  return `${base.mint}/${quote.mint} with ${countLevels(bids.length, 'bid')} and ${countLevels(asks.length, 'ask')}`;
}

function countLevels(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
