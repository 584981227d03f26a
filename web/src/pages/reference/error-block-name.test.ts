import { describe, expect, it } from 'vitest';
import type { ErrorChapterBlock } from '../../openapi/use-error-sections.ts';
import { nameErrorBlock } from './error-block-name.ts';

describe('nameErrorBlock', () => {
  it('calls a table by its first column, and texts by what stands above them', () => {
    const texts: ErrorChapterBlock = { kind: 'texts', lines: ['no'] };
    const blocks: readonly ErrorChapterBlock[] = [
      { kind: 'table', headings: ['`code`', 'meaning'], rows: [] },
      texts,
      { kind: 'heading', text: 'Texts of `execute`' },
      texts,
      { kind: 'text', text: 'The network refuses with 400:' },
      texts,
    ];
    const name = (title: string, index: number) => nameErrorBlock(title, blocks, index);
    expect(name('Trigger: `error`', 0)).toBe('Trigger: error, by code');
    expect(name('Trigger: `error`', 1)).toBe('Trigger: error, texts');
    expect(name('Admin port: texts', 1)).toBe('Admin port: texts');
    expect(name('Trigger: `error`', 3)).toBe('Texts of execute');
    expect(name('Trigger: `error`', 5)).toBe('The network refuses with 400');
  });
});
