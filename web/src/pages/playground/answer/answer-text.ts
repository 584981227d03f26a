import { formatExactJson, parseExactJson } from '../../../base/exact-json.ts';
import { formatWhole } from '../../../base/format-amount.ts';

/** How much of a text is shown, and in which way. */
export interface ShownText {
  readonly text: string;
  readonly language: 'json' | 'text';
  /** Whether the text goes on behind what is shown. */
  readonly isCut: boolean;
}

/** Longer texts are not put in order: the reader would wait for it, and not read it. */
const MAX_FORMATTED = 200_000;
/** What a scroll area can hold without stopping the page. */
const MAX_SHOWN = 400_000;

/** Returns the part of a body that is shown. JSON is indented, with its numbers as they were sent. */
export function formatAnswerText(text: string): ShownText {
  if (text.length <= MAX_FORMATTED) {
    const reading = parseExactJson(text);
    if (reading.ok) return cutText(formatExactJson(reading.value, 2), 'json');
  }
  return cutText(text, 'text');
}

function cutText(text: string, language: ShownText['language']): ShownText {
  const isCut = text.length > MAX_SHOWN;
  return { text: isCut ? text.slice(0, MAX_SHOWN) : text, language, isCut };
}

/** Formats a duration for a reader. */
export function formatMilliseconds(duration: number): string {
  return duration < 10 ? `${duration.toFixed(1)} ms` : `${formatWhole(Math.round(duration))} ms`;
}
