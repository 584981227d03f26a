import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('docs/glossary.md defines each term once, and names files that exist', () => {
  expect(rows.length).toBeGreaterThan(40);
  const terms = rows.map(([term]) => term);
  expect(terms).toEqual([...new Set(terms)]);
  for (const [term, meaning = '', where = '', ...more] of rows) {
    expect(more, term).toEqual([]);
    expect(meaning, term).toMatch(/^[A-Z].*\.\)?$/);
    const files = [...where.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');
    expect(files.length, term).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(new URL(file, root)), `${term}: ${file}`).toBe(true);
  }
});

it.each([
  ...[
    'maker',
    'order book',
    'quote',
    'fill',
    'last look',
    'inventory reservation',
    'order',
    'swap',
    'engine',
  ],
  ...['venue', 'pool', 'route', 'leg', 'hop', 'split', 'slippage', 'price impact', 'platform fee'],
  ...[
    'referral fee',
    'lookup table',
    'blockhash lifetime',
    'priority fee',
    'sponsor',
    'lease',
    'owner',
    'peer',
  ],
  ...['in-flight request', 'outbox', 'snapshot', 'write-ahead log'],
])('docs/glossary.md defines: %s', (term) => {
  expect(rows.map(([name]) => name)).toContain(term);
});

const root = new URL('../', import.meta.url);
const rows = readFileSync(new URL('docs/glossary.md', root), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| term'))
  .map((line) => line.slice(2, -2).split(' | '));
