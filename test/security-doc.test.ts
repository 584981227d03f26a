import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each(['docs/security.md', 'docs/economics.md'])(
  '%s names tests that exist, in every line of its tables',
  (doc) => {
    const lines = readFileSync(new URL(doc, root), 'utf8').split('\n');
    const rows = lines.filter(
      (line) => line.startsWith('| ') && !/^\| (attempt|against|what is bounded) \|/.test(line),
    );
    expect(rows.length).toBeGreaterThan(30);
    const named = rows.map((row) =>
      [...(row.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, file]) => file),
    );
    for (const [index, files] of named.entries()) {
      expect(files.length, rows[index]).toBeGreaterThan(0);
      for (const file of files) {
        expect(file).toMatch(/\.test\.ts$/);
        expect(existsSync(new URL(file ?? '', root)), file).toBe(true);
      }
    }
  },
);

it.each([
  'REST',
  'admin',
  'Solana RPC',
  'gRPC',
  'database',
  'data folder',
  'Proxies',
  'Dependencies',
  'makers',
])('docs/security.md has the door: %s', (door) => {
  const headings = text.split('\n').filter((line) => line.startsWith('## '));
  expect(headings.join('\n')).toContain(door);
});

const root = new URL('../', import.meta.url);
const text = readFileSync(new URL('docs/security.md', root), 'utf8');
