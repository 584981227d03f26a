import { MAX_TIME_MS } from './format-time.ts';
import { getCoordinate, getText } from './read-json.ts';
import type { ExactJson } from './exact-json.ts';

/** Returns a time that is written in ISO 8601, in Unix milliseconds; null if it is none. */
export function getIsoTime(value: ExactJson | undefined, name: string): number | null {
  const text = getText(value, name);
  if (text === null || text.length > 40) return null;
  const time = Date.parse(text);
  return Number.isFinite(time) ? time : null;
}

/** Returns a time that is written in Unix milliseconds; null if it is none. */
export function getMillisecondTime(value: ExactJson | undefined, name: string): number | null {
  return toTime(getCoordinate(value, name));
}

/** Returns a time that is written in Unix seconds, in Unix milliseconds; null if it is none. */
export function getSecondTime(value: ExactJson | undefined, name: string): number | null {
  const seconds = getCoordinate(value, name);
  return toTime(seconds === null ? null : seconds * 1_000);
}

/** Zero is how interfaces write that there is no time. */
function toTime(milliseconds: number | null): number | null {
  return milliseconds === null || milliseconds <= 0 || milliseconds > MAX_TIME_MS ? null : milliseconds;
}
