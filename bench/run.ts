import { readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Bench, Row } from './row.ts';

/** `npm run bench [-- name...] [--write]`: runs the named benches, or all, and prints one table. */
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const known = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length));
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`there is no bench ${JSON.stringify(unknown)}; there are: ${known.join(', ')}`);
  process.exit(2);
}

const sections: string[] = [];
let missed = 0;
for (const name of positionals.length > 0 ? positionals : known) {
  const bench: Bench = await import(`./${name}.bench.ts`);
  const rows = await bench.run();
  missed += rows.filter(({ ok }) => ok === false).length;
  const section = `## ${bench.title}\n\n${table(rows)}\n`;
  console.log(section);
  sections.push(section);
}
console.log(missed === 0 ? 'every demand is held' : `${missed} demands are not held`);
if (values.write) writeFileSync(new URL('../docs/performance.md', import.meta.url), page(sections));
process.exit(missed === 0 ? 0 : 1);

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, measured, against = '', atLeast = '', ok }) =>
    [what, measured, against, atLeast, ok === undefined ? '' : ok ? 'held' : '**missed**'].join(' | '),
  );
  const head = ['what | measured | against | demanded | ', '--- | --- | --- | --- | ---'];
  return [...head, ...lines].map((line) => `| ${line} |`).join('\n');
}

function page(results: readonly string[]): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${gigabytes} GiB of memory`;
  const intro = [
    '# Performance',
    '',
    'Written by `npm run bench -- --write`. Ratios compare two things in one run on one machine, so that they',
    'carry over to others; absolute figures do not. Nothing here is asserted in a test.',
    '',
    `Machine: ${machine}, Node ${process.version}, ${process.platform} ${process.arch}.`,
  ];
  return `${intro.join('\n')}\n\n${results.join('\n')}`;
}
