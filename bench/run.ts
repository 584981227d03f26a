import { fork } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Row } from './row.ts';

/** `npm run bench [-- name...] [--write]`: runs the named benches, or all, prints their tables, and records them. */
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
  const { title, rows } = await runAlone(name);
  missed += rows.filter(({ ok }) => ok === false).length;
  const section = `## ${title}\n\n${table(rows)}\n`;
  console.log(section);
  sections.push(section);
}
console.log(missed === 0 ? 'every demand is held' : `${missed} demands are not held`);
if (values.write) record(sections);
process.exit(missed === 0 ? 0 : 1);

interface Measured {
  readonly title: string;
  readonly rows: readonly Row[];
}

/**
 * Runs a bench in a process of its own, because the heap and the compiled code of one bench would slow down the next.
 */
function runAlone(name: string): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('one.ts', import.meta.url)), [name]);
  return new Promise((resolve, reject) => {
    child.on('message', (measured) => resolve(measured as Measured));
    child.on('exit', (code) => reject(new Error(`bench ${name} ended with ${code} before it had measured`)));
  });
}

/** Benches that did not run now keep their recorded sections. Sections are sorted by title. */
function record(run: readonly string[]): void {
  const file = new URL('../docs/performance.md', import.meta.url);
  const recorded = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const byTitle = new Map([...recorded, ...run].map((section) => [titleOf(section), section.trimEnd()]));
  const inOrder = [...byTitle].sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, page(inOrder.map(([, section]) => `${section}\n`)));
}

function titleOf(section: string): string {
  return section.slice(0, section.indexOf('\n'));
}

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
