import type { ExactJson } from '../../../../base/exact-json.ts';
import { getCoordinate, getItems } from '../../../../base/read-json.ts';
import { getMillisecondTime } from '../../../../base/read-times.ts';
import { readDollars } from './read-asset.ts';

/** What a wallet was worth at a time. */
export interface WorthPoint {
  /** Unix ms. */
  readonly time: number;
  /** Nano dollars. */
  readonly value: bigint;
  /** The same in dollars, as a coordinate of a chart. */
  readonly coordinate: number;
}

/** What a wallet was worth. */
export interface WorthHistory {
  /** Unix ms since when the wallet is followed; null if it is not. */
  readonly since: number | null;
  readonly points: readonly WorthPoint[];
}

/** Reads the history of a wallet; entries without a time or a value are left out. */
export function readHistory(body: ExactJson | undefined): WorthHistory {
  const points = getItems(body, 'values').flatMap((entry) => {
    const time = getMillisecondTime(entry, 'time');
    const value = readDollars(entry, 'value');
    const coordinate = getCoordinate(entry, 'value');
    return time === null || value === null || coordinate === null ? [] : [{ time, value, coordinate }];
  });
  return { since: getMillisecondTime(body, 'since'), points };
}
