import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWhenStale } from '../../scripts/bundle.mjs';
import { copyRuntimePackages } from '../../scripts/runtime-packages.mjs';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('package');
/** The environment of a machine that has Node and nothing else. */
let environment: NodeJS.ProcessEnv;
beforeAll(setUp);

describe('the packed package', () => {
  it('holds what runs and what a user reads, and nothing else', () => {
    const expected = [
      /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|NOTICE|programs\/README\.md)$/,
      /^bin\/(sluice|healthy|oldest-node)\.mjs$/,
      /^dist\/[\w-]+\.js(\.map)?$/,
      /^dist\/\.built-from$/,
      /^dist\/docs\/[\w.-]+$/,
      /^dist\/portal\/\.built-from$/,
      /^dist\/portal\/index\.html(\.br|\.gz)?$/,
      /^dist\/portal\/assets\/[\w-]+\.(js|css|svg)(\.br|\.gz)?$/,
      /^programs\/dist\/[\w-]+\.(so|json)$/,
      /^proto\/[\w/]+\.proto$/,
      /^testing\/index\.d?\.?mts$|^testing\/index\.mjs$/,
      /^docs\/[\w/.-]+\.(md|json|ya?ml)$/,
      /^docs\/recipes\/(nginx\.conf|haproxy\.cfg|Caddyfile)$/,
      /^examples\/([\w-]+\.ts|README\.md)$/,
      /^examples\/python\/\w+\.py$/,
      /^examples\/go\/order\/main\.go$/,
      /^examples\/rust\/order\/(Cargo\.(toml|lock)|src\/main\.rs)$/,
    ];
    const files = filesOf(installed(''));
    expect(files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([]);
    for (const pattern of expected)
      expect(
        files.some((file) => pattern.test(file)),
        String(pattern),
      ).toBe(true);
    for (const name of ['main', 'worker', 'sqlite-worker', 'demo-maker', 'demo-webhook-maker', 'liquidator'])
      expect(files).toContain(`dist/${name}.js`);
  });

  it('has the files that package.json names', () => {
    const { bin, exports } = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
    const targets = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : Object.values(value as object).flatMap(targets);
    for (const path of [...targets(bin), ...targets(exports)])
      expect(existsSync(installed(path)), path).toBe(true);
  });

  it('runs its command from an empty folder, with Node alone', async () => {
    const command = join(folder, 'node_modules', '.bin', 'sluice');
    const options = { cwd: folder, env: environment };
    const { version } = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
    expect((await run(command, ['--version'], options)).stdout).toContain(version);
    expect((await run(command, ['--help'], options)).stdout).toContain('start ');
  });

  it('swaps for the first time by `sluice/testing`', async () => {
    writeFileSync(join(folder, 'first-swap.mjs'), FIRST_SWAP);
    const options = { cwd: folder, env: environment };
    const { stdout } = await run(process.execPath, ['first-swap.mjs'], options);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'Success', inputAmountResult: '100000000' });
  });
});

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A script of another project: one swap by order and execute, with Node alone. */
const FIRST_SWAP = `
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startSluice } from 'sluice/testing';

const sluice = await startSluice({ timeoutMs: 120_000 });
const headers = { 'x-api-key': sluice.apiKey, 'content-type': 'application/json' };
const call = async (path, init) => JSON.parse(await (await fetch(sluice.urls.rest + path, { headers, ...init })).text());
try {
  const order = await call('/swap/v2/order?inputMint=So11111111111111111111111111111111111111112' +
    '&outputMint=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v&amount=100000000&taker=' + sluice.wallet.address);
  const secret = Buffer.from(JSON.parse(readFileSync(sluice.wallet.file, 'utf8'))).subarray(0, 32);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const transaction = Buffer.from(order.transaction, 'base64');
  sign(null, transaction.subarray(1 + 64 * transaction[0]), key).copy(transaction, 1);
  const body = JSON.stringify({ requestId: order.requestId, signedTransaction: transaction.toString('base64') });
  console.log(JSON.stringify(await call('/swap/v2/execute', { method: 'POST', body })));
} finally {
  await sluice.stop();
}
`;

const installed = (path: string) => join(folder, 'node_modules', 'sluice', path);
const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));

async function setUp(): Promise<void> {
  environment = { PATH: dirname(process.execPath), HOME: folder };
  // As `npm pack` does, whose script would run at the same time as those of other tests.
  await bundleWhenStale(root);
  const pack = ['pack', '--ignore-scripts', '--offline', '--pack-destination', folder];
  await run('npm', pack, { cwd: root });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  mkdirSync(installed(''), { recursive: true });
  await run('tar', ['xzf', join(folder, archive), '--strip-components=1', '-C', installed('')]);
  // What npm would install of the registry, less what the bundle holds: the folder of the image is the same.
  copyRuntimePackages(root, folder);
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  // npm makes the files of `bin` executable.
  chmodSync(installed('bin/sluice.mjs'), 0o755);
  symlinkSync('../sluice/bin/sluice.mjs', join(folder, 'node_modules', '.bin', 'sluice'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
}
