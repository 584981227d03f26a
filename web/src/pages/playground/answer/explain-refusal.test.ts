import { describe, expect, it } from 'vitest';
import type { ErrorChapter } from '../../../openapi/use-error-sections.ts';
import { explainRefusal } from './explain-refusal.ts';

describe('explainRefusal', () => {
  it.each([
    [
      'a code',
      { code: 'NO_ROUTE', message: 'x' },
      400,
      { meaning: 'No route.', remedy: 'Wait.', anchor: 'swap' },
    ],
    [
      'a text',
      { code: null, message: 'No routes found' },
      404,
      { meaning: 'No pool.', remedy: '', anchor: 'texts' },
    ],
    [
      'a status',
      { code: null, message: null },
      401,
      { meaning: 'Unknown key.', remedy: 'Ask.', anchor: 'all' },
    ],
  ])('finds the line of %s', (_, refusal, status, explanation) => {
    expect(explainRefusal(CHAPTERS, refusal, status)).toEqual(explanation);
  });

  it('returns null where the page says nothing', () => {
    expect(explainRefusal(CHAPTERS, { code: '7', message: 'x' }, 418)).toBeNull();
    expect(explainRefusal([], { code: '7', message: null }, 400)).toBeNull();
  });
});

const CHAPTERS: readonly ErrorChapter[] = [
  createChapter('swap', ['`errorCode`', 'meaning', 'what to do'], ['`NO_ROUTE`', 'No route.', 'Wait.']),
  createChapter('texts', ['`error`', 'where', 'meaning'], ['`No routes found`', '400', 'No pool.']),
  createChapter(
    'all',
    ['status', 'body', 'meaning', 'what to do'],
    ['401', '`code`', 'Unknown key.', 'Ask.'],
  ),
];

function createChapter(anchor: string, headings: readonly string[], row: readonly string[]): ErrorChapter {
  return {
    title: anchor,
    anchor,
    scope: { kind: 'all' },
    blocks: [{ kind: 'table', headings, rows: [row] }],
  };
}
