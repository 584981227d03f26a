import { describe, expect, it } from 'vitest';
import type { ErrorChapterBlock } from '../../openapi/use-error-sections.ts';
import { filterErrorBlocks } from './error-filter.ts';

describe('filterErrorBlocks', () => {
  it('keeps everything for an empty text', () => {
    expect(filterErrorBlocks(BLOCKS, ' ')).toBe(BLOCKS);
  });

  it('keeps rows and texts that have the text in them, without the rest of the chapter', () => {
    expect(filterErrorBlocks(BLOCKS, 'token_not')).toEqual([
      { kind: 'table', headings: ['code'], rows: [['`TOKEN_NOT_TRADABLE`']] },
    ]);
  });

  it('finds the text of which a refusal is an instance', () => {
    const find = (text: string) =>
      filterErrorBlocks(BLOCKS, text).flatMap((block) => (block.kind === 'texts' ? block.lines : []));
    expect(find('amount must be at least 1, got 0')).toEqual(['… must be at least …, got …']);
    expect(find('amount must be at least 1')).toEqual([]);
    expect(find('something else')).toEqual([]);
  });
});

const BLOCKS: readonly ErrorChapterBlock[] = [
  { kind: 'text', text: 'Refusals.' },
  { kind: 'table', headings: ['code'], rows: [['`TOKEN_NOT_TRADABLE`'], ['`OTHER`']] },
  { kind: 'texts', lines: ['… must be at least …, got …', '… …'] },
];
