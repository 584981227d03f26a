import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, vi } from 'vitest';
import { runLanes } from './run-lanes.mjs';
import { openTestFolder } from '../../src/testing/test-folder.ts';

let root: string;
beforeEach(setUp);

it('reports files that cannot be loaded or hide tests as failed, with the reason', async () => {
  const ran = await ranFiles({
    'passes.test.ts': IMPORTS + PASSES,
    'fails.test.ts': IMPORTS + FAILS,
    'empty.test.ts': '',
    'import.test.ts': `import './nowhere.ts';\n${IMPORTS}${PASSES}`,
    'only.test.ts': `${IMPORTS}it.only('passes', () => {});\n${FAILS}`,
  });
  expect(ran).toEqual({
    'passes.test.ts': 'passed',
    'fails.test.ts': expect.stringContaining('failed AssertionError: expected 1 to be 2'),
    'empty.test.ts': expect.stringContaining('failed Error: No test suite found'),
    'import.test.ts': expect.stringMatching(/^failed Error: .*nowhere\.ts/),
    'only.test.ts': expect.stringContaining('failed Error: [Vitest] Unexpected .only modifier'),
  });
});

it('runs the other files although a worker crashed', async () => {
  const others = Array.from(
    { length: 6 },
    (_, index) => [`other-${index}.test.ts`, IMPORTS + PASSES] as const,
  );
  const ran = await ranFiles({
    'crashes.test.ts': `${IMPORTS}it('crashes', () => process.kill(process.pid, 'SIGKILL'));\n`,
    ...Object.fromEntries(others),
  });
  const { 'crashes.test.ts': crashed, ...rest } = ran;
  expect(crashed).toContain('failed');
  // One may have been under way beside it, and is run once more by the suite.
  expect(Object.values(rest).filter((state) => state === 'passed').length).toBeGreaterThanOrEqual(5);
});

it('leaves no worker behind when it is killed', async () => {
  const told = join(root, 'worker');
  const text = `import { writeFileSync } from 'node:fs';\n${IMPORTS}it('hangs', async () => {
    writeFileSync(${JSON.stringify(told)}, String(process.pid));
    await new Promise((resolve) => setInterval(() => resolve, 1_000));
  });\n`;
  writeFileSync(join(root, 'hangs.test.ts'), text);
  const plan = { root, files: ['hangs.test.ts'], isolate: true, workers: 1, filesPerWorkerLife: 1 };
  const args = [fileOf('lane-process.mjs'), JSON.stringify({ ...plan, resultsFile: join(root, 'results') })];
  const lane: ChildProcess = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
  const worker = await vi.waitFor(() => {
    expect(existsSync(told)).toBe(true);
    const pid = Number(readFileSync(told, 'utf8'));
    expect(pid).toBeGreaterThan(0);
    return pid;
  });
  lane.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(worker)).toBe(false));
});

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const IMPORTS = "import { expect, it } from 'vitest';\n";
const PASSES = "it('passes', () => {});\n";
const FAILS = "it('fails', () => expect(1).toBe(2));\n";

function setUp(): void {
  root = openTestFolder('lanes');
  symlinkSync(fileOf('../../node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  copyFileSync(fileOf('../../test/orphans.ts'), join(root, 'orphans.ts'));
  const config = { test: { pool: 'forks', setupFiles: ['orphans.ts'] } };
  writeFileSync(join(root, 'vitest.config.ts'), `export default ${JSON.stringify(config)};`);
}

/** Runs files of these texts, and returns for each what its result is. */
async function ranFiles(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(root, name), text);
  const lane = { files: Object.keys(texts), isolate: true, workers: 2 };
  const { results, stray } = await runLanes(root, [lane]);
  expect(stray).toEqual([]);
  return Object.fromEntries(
    results.map(({ file, state, tests, errors }) => {
      const firstError = [...tests.flatMap((test) => test.errors), ...errors][0] ?? '';
      return [file, `${state} ${firstError.split('\n')[0]}`.trim()];
    }),
  );
}

/** An ended process whose new parent has not asked for its code is none that runs. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
