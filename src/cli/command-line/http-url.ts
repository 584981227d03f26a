import { formatForError } from '../../common/format-for-error.ts';
import type { CommandFlag } from './command.ts';
import { UsageError } from './command-line.ts';

/** What is allowed for a flag that `parseUrlFlag` reads. */
export const HTTP_URL = 'an http or https URL';

/**
 * Reads the URL that was given for a flag.
 *
 * @throws UsageError when it is none.
 */
export function parseUrlFlag({ name }: CommandFlag, given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`flag --${name} is ${formatForError(given)}, but must be ${HTTP_URL}`);
}
