import { readFileSync } from 'node:fs';

/** Returns the labels of each metric in the table of docs/operation.md. */
export function documentedMetrics(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(new URL('../docs/operation.md', import.meta.url), 'utf8');
  return new Map(
    [...text.matchAll(/^\| `(sluice_\w+)` \|([^|]*)\|/gm)].map(([, name = '', labels = '']) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    ]),
  );
}
