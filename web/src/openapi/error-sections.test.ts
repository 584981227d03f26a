import { describe, expect, it } from 'vitest';
import { type ErrorChapter, selectErrorChapters } from './use-error-sections.ts';

describe('selectErrorChapters', () => {
  it('has the chapters of the path first, then those of the group, and then those of all', () => {
    const select = (path: string, group: string, side: 'public' | 'admin' = 'public') =>
      selectErrorChapters(CHAPTERS, { path, group }, side).map(({ title }) => title);
    expect(select('/swap/v2/execute', 'swap')).toEqual(['Execute', 'Swap', 'REST']);
    expect(select('/swap/v2/order', 'swap')).toEqual(['Swap', 'REST']);
    expect(select('/send/v1/execute', 'send')).toEqual(['REST']);
    expect(select('/swap/v2/execute', 'swap', 'admin')).toEqual(['Admin', 'REST']);
  });
});

const chapter = (title: string, scope: ErrorChapter['scope']): ErrorChapter => ({
  title,
  anchor: '',
  scope,
  blocks: [],
});

const CHAPTERS = [
  chapter('REST', { kind: 'all' }),
  chapter('Swap', { kind: 'tag', tag: 'swap', pathPart: null }),
  chapter('Execute', { kind: 'tag', tag: 'swap', pathPart: '/execute' }),
  chapter('Admin', { kind: 'admin' }),
];
