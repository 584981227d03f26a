import { formatForError } from '../../common/format-for-error.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';

/** Which page of a list to return. */
export interface PageQuery {
  /** The largest number of items; `DEFAULT_PAGE` when absent. */
  readonly limit?: number;
  /** `next` of the previous page; absent for the first page. */
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null after the last. */
  readonly next: string | null;
}

export const DEFAULT_PAGE = 100;
export const MAX_PAGE = 1_000;

/** The sort key of a list: a unique name, a time and an id, or a time, the place among the entries of that time, and an id. */
type SortKey = [name: string] | [time: number, id: string] | [time: number, place: number, id: string];

/** Returns the limit of the query, from 1 to `MAX_PAGE`. */
export function getPageLimit({ limit = DEFAULT_PAGE }: PageQuery): number {
  return Math.min(Math.max(limit, 1), MAX_PAGE);
}

/**
 * @param like - A value of the same type.
 * @returns the sort key of the last item of the previous page; null for the first page
 * @throws Refused when the cursor was not returned by an earlier page
 */
export function parseCursor<P extends SortKey>({ cursor }: PageQuery, like: P): P | null {
  if (cursor === undefined) return null;
  const place = parsed(cursor);
  const fits =
    Array.isArray(place) &&
    place.length === like.length &&
    place.every((part, index) => typeof part === typeof like[index] && isStorable(part));
  if (!fits)
    throw new Refused(
      'invalid-value',
      `cursor must be the next of a page before, got ${formatForError(cursor)}`,
    );
  return place as unknown as P;
}

/** @param rows - Up to one more than the limit, which shows whether there is a next page. */
export function createPage<T>(rows: readonly T[], query: PageQuery, place: (row: T) => SortKey): Page<T> {
  const limit = getPageLimit(query);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? encodeCursor(place(last)) : null };
}

/** Returns a page of a list that was read completely; its names must be unique. */
export function createPageByName<T>(
  all: readonly T[],
  query: PageQuery,
  nameOf: (item: T) => string,
): Promise<Result<Page<T>>> {
  return toResult(async () => {
    const after = parseCursor<[string]>(query, ['']);
    const sorted = [...all].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    const rest = after === null ? sorted : sorted.filter((item) => nameOf(item) > after[0]);
    return createPage(rest, query, (item) => [nameOf(item)]);
  });
}

function encodeCursor(place: SortKey): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Whether PostgreSQL accepts the value: it refuses unsafe integers as times, and U+0000 in texts. */
function isStorable(part: unknown): boolean {
  return typeof part === 'number' ? Number.isSafeInteger(part) : !String(part).includes('\0');
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
