import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBreaches } from './test-rules.ts';

describe('the rules of tests', () => {
  it('are kept by all files but for the exceptions', () => {
    const excepted = new Set(EXCEPTIONS.map(({ file, what }) => `${file}: ${what}`));
    const others = found.filter(({ file, what }) => !excepted.has(`${file}: ${what}`));
    expect(others.map(({ file, line, what }) => `${file}:${line}: ${what}`)).toEqual([]);
  });

  it('have at most fifteen exceptions, each of one line', () => {
    expect(EXCEPTIONS.length).toBeLessThanOrEqual(15);
    const lines = EXCEPTIONS.map((exception) => ({
      ...exception,
      lines: found.filter(({ file, what }) => file === exception.file && what === exception.what).length,
    }));
    expect(lines.filter(({ lines }) => lines !== 1)).toEqual([]);
  });

  const found = filesOfTests().flatMap((file) =>
    findBreaches(readFileSync(join(root, file), 'utf8')).map(({ line, what }) => ({ file, line, what })),
  );
});

describe('findBreaches', () => {
  it.each([
    ['setTimeout(work, 5);', 'setTimeout'],
    ['await new Promise((resolve) => setTimeout(resolve, 5));', 'setTimeout'],
    ['later(setTimeout);', 'setTimeout'],
    ['globalThis.setTimeout(work, 5);', 'setTimeout'],
    ["import { setTimeout as later } from 'node:timers';", 'setTimeout'],
    ["import { setImmediate as turn } from 'node:timers/promises';", 'timers/promises'],
    ["const { scheduler } = await import('timers/promises');", 'timers/promises'],
    ['const today = Date.now();', 'Date.now'],
    ['open({ now: Date.now });', 'Date.now'],
    ['const began = performance.now();', 'performance.now'],
    ['SYSTEM_TIMERS.after(500, resolve);', 'SYSTEM_TIMERS.after'],
    ['await expect.poll(read, { timeout: 5_000 }).toBe(1);', 'timeout'],
    ['const timeout = 5_000; spawnSync(name, [], { timeout });', 'timeout'],
    ["it('works', { 'timeout': 5_000 }, () => {});", 'timeout'],
    ["it('works', async () => {}, 60_000);", 'a deadline'],
    ["it.each([1])('works', async () => {}, 60_000);", 'a deadline'],
    ["describe.runIf(has)('it', () => {}, LIMIT);", 'a deadline'],
    ['beforeAll(async () => {}, LIMIT);', 'a deadline'],
    ['await vi.waitFor(check, 5_000);', 'a deadline'],
    [
      "import { now } from '../src/testing/waits.ts'; expect(now() - began).toBeLessThan(50);",
      'a compared duration',
    ],
    [
      "import { stopwatch } from '../src/testing/waits.ts'; expect(Math.abs(began - stopwatch())).toBeLessThan(50);",
      'a compared duration',
    ],
    [
      "import { now } from '../src/testing/waits.ts'; while (now() - began < 50) turn();",
      'a compared duration',
    ],
    ['server.listen(8080);', 'a fixed port'],
    ["await app.listen({ host: '127.0.0.1', port: 8080 });", 'a fixed port'],
    ["const instance = new Instance(['start', ...flags], folder);", 'an instance without a reason'],
    ['const fee = fc.option(fees, { nil: null, freq: 1 });', 'an option that is never taken'],
  ])('finds in %j: %s', (text, what) => {
    expect(findBreaches(text)).toEqual([{ line: 1, what }]);
  });

  it.each([
    '// setTimeout(work, Date.now());',
    "const text = 'setTimeout, Date.now and { timeout: 1 }';",
    'stream.setTimeout(300, cut);',
    'const timers = { setTimeout: later };',
    'interface Limits { readonly timeout: number }',
    'const { timeout } = options;',
    'open({ timers: SYSTEM_TIMERS, after: SYSTEM_TIMERS.after });',
    "import { now } from '../src/testing/waits.ts'; const yesterday = now() - 86_400_000;",
    'const now = () => clock.time; expect(now() - began).toBe(5);',
    "it('works', () => {});",
    "it.each([1])('works', { retry: 2 }, () => {});",
    'test.connect(decode, 5);',
    'await vi.waitFor(check, { interval: 20 });',
    "const command = new Instance(['restore', file], folder);",
    "server.listen(0, '127.0.0.1');",
    "await app.listen({ host: '127.0.0.1', port: 0 });",
    'const fee = fc.option(fees, { nil: null, freq: 2 });',
  ])('finds nothing in %j', (text) => {
    expect(findBreaches(text)).toEqual([]);
  });

  it('tells the line in the file as it is written', () => {
    const text =
      "import type { A } from './a.ts';\n\n/** Types\n * are left out. */\ntype B = A;\n\nsetTimeout(\n  f,\n);\n";
    expect(findBreaches(text)).toEqual([{ line: 7, what: 'setTimeout' }]);
  });
});

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'test', 'programs', 'scripts', 'web'];
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'target']);
/** Tests, and what only they use. */
const IS_OF_TESTS = /\.test\.ts$|^src\/testing\/.*\.ts$|^test\/.*\.ts$|^programs\/[^/]+\/tests\/.*\.ts$/;
/** The only file that may read the clock, and that knows how long a test waits. */
const HOME = 'src/testing/waits.ts';

/** Lines that break a rule, at most fifteen, each with its reason. */
const EXCEPTIONS: readonly { readonly file: string; readonly what: string; readonly reason: string }[] = [
  {
    file: 'src/chain/embedded/kill.test.ts',
    what: 'setTimeout',
    reason: 'It kills a process some milliseconds later, wherever that is by then.',
  },
  {
    file: 'src/testing/gateway/transport.ts',
    what: 'SYSTEM_TIMERS.after',
    reason: 'A handler takes longer than the limit of silence of its server, which Node measures.',
  },
  {
    file: 'src/platform/traffic/log/traffic-log.test.ts',
    what: 'a compared duration',
    reason: 'The clock of the database may be that of another machine, an hour off at most.',
  },
  {
    file: 'test/browser.ts',
    what: 'timeout',
    reason: 'A browser that does not start within two minutes counts as none, and its tests are skipped.',
  },
  {
    file: 'test/e2e/instance-pool.ts',
    what: 'an instance without a reason',
    reason: 'It starts the instances that files share.',
  },
  {
    file: 'test/waits.test.ts',
    what: 'timeout',
    reason: 'The test looks at a wait that fails.',
  },
];

function filesOfTests(): string[] {
  return FOLDERS.flatMap((folder) => filesBelow(folder)).filter(
    (file) => IS_OF_TESTS.test(file) && file !== HOME,
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return SKIPPED.has(entry.name) ? [] : filesBelow(path);
  });
}
