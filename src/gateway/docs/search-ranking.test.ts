import { describe, expect, it } from 'vitest';

const { rankEntries, toWords } = await import(new URL('./assets/search-ranking.js', import.meta.url).href);

describe('rankEntries', () => {
  it('puts titles before headings, headings before texts, and history behind', () => {
    expect(search('slippage')).toEqual(['title', 'heading', 'operation', 'page', 'text', 'changelog']);
  });

  it('puts a whole word before the beginning of one, and that before a part', () => {
    expect(search('order')).toEqual(['whole', 'beginning', 'part']);
  });

  it('finds an operation by its path, its name and its parameters', () => {
    for (const query of ['/swap/v2/slippage', 'GET /swap', 'SlippageOfSwaps', 'outputmint'])
      expect(search(query)[0], query).toBe('operation');
  });

  it('prefers the words in one phrase', () => {
    expect(search('maker check')[0]).toBe('phrase');
  });

  it('finds only what has every word', () => {
    expect(search('slippage nowhere')).toEqual([]);
    expect(search('')).toEqual([]);
  });
});

/** Entries are named by the anchors of their addresses. */
const ENTRIES = [
  {
    url: '/docs/changelog#changelog',
    page: 'Changelog',
    heading: 'Changelog',
    text: 'Slippage is slippage.',
  },
  { url: '/docs/a#text', page: 'Fees', heading: 'Rates', text: 'They do not change the slippage.' },
  { url: '/docs/b#page', page: 'Slippage', heading: 'Limits', text: '' },
  { url: '/docs/c#heading', page: 'Swaps', heading: 'How slippage is bounded', text: '' },
  { url: '/docs/b#title', page: 'Slippage', heading: 'Slippage', text: '' },
  {
    url: '/docs/api#operation',
    page: 'API',
    heading: 'GET /swap/v2/slippage-rates',
    text: 'Parameters: outputMint · SlippageOfSwaps',
  },
  { url: '/docs/d#part', page: 'Maps', heading: 'The border', text: '' },
  { url: '/docs/d#beginning', page: 'Maps', heading: 'Ordering', text: '' },
  { url: '/docs/d#whole', page: 'Maps', heading: 'An order', text: '' },
  { url: '/docs/e#apart', page: 'Kinds', heading: 'Check that a maker', text: '' },
  { url: '/docs/e#phrase', page: 'Kinds', heading: 'The maker check of before', text: '' },
];

const search = (query: string): string[] =>
  rankEntries(ENTRIES, toWords(query)).map(({ url }: { url: string }) => url.split('#')[1]);
