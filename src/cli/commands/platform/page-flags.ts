import { DEFAULT_PAGE } from '../../../platform/requests/paging.ts';
import type { CommandFlag } from '../../command-line/command.ts';

export const CURSOR_FLAG: CommandFlag = {
  name: 'cursor',
  allowed: 'the cursor that the page before ended with',
  description: 'Show the next page.',
};

/** The flags of a list whose lines are shown page by page. Each is also a query parameter. */
export const PAGE_FLAGS: readonly CommandFlag[] = [
  {
    name: 'limit',
    allowed: 'a whole number',
    description: `Most lines on a page. Default: ${DEFAULT_PAGE}.`,
  },
  CURSOR_FLAG,
];

/**
 * Says how to see the next page, if there is one.
 * @param next - The cursor of the next page; null after the last one.
 */
export function writeNextPage(next: string | null, writeError: (text: string) => void): void {
  if (next !== null) writeError(`There are more; see the next page with --cursor ${next}\n`);
}
