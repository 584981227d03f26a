import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentForInstances } from './instance.ts';
import { useInstance } from './shared-instance.ts';

describe('quick starts', () => {
  const sluice = useInstance();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('swap in TypeScript', async () => {
    expect(await run(process.execPath, '--import', 'tsx', 'examples/order.ts')).toMatch(SWAPPED);
  });

  it('swap in TypeScript from a project as npm init makes it, whose files are CommonJS', async () => {
    writeFileSync(join(folder, 'package.json'), '{ "name": "swap", "type": "commonjs" }');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const name of [
      'order.ts',
      'swap.ts',
      'borrow.ts',
      'land.ts',
      'wallet-adapter.ts',
      'bonding-curve.ts',
      'launch.ts',
      'limit-order.ts',
      'dca.ts',
      'send.ts',
      'prediction.ts',
      'forecast.ts',
    ]) {
      const source = readFileSync(join(root, 'examples', name), 'utf8');
      await expect(transform(source, { loader: 'ts', format: 'cjs' }), name).resolves.toBeDefined();
    }
    copyFileSync(join(root, 'examples', 'order.ts'), join(folder, 'order.ts'));
    expect(await run(process.execPath, '--import', 'tsx', join(folder, 'order.ts'))).toMatch(SWAPPED);
  });

  it('land a transaction with a tip by web3.js 1', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/land.ts');
    expect(output).toMatch(/^landed [1-9A-HJ-NP-Za-km-z]{80,90}$/m);
  });

  it('sell at a price that is not reached yet, and take the money of another order back', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/limit-order.ts');
    expect(output).toMatch(/^the portfolio shows 1 order for \d+\.\d\d USD$/m);
    expect(output).toMatch(
      /^SOL has risen: 0\.5 SOL became \d+\.\d+ USDC\n {2}deposit success \w+\n {2}fill success \w+$/m,
    );
    expect(output).toMatch(/^order [\w-]+ is cancelled, and the wallet has its 0\.5 SOL back$/m);
  });

  it('send to codes, claim for a new wallet, and take the other invite back', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/send.ts');
    expect(output).toMatch(
      /^0\.1 SOL wait for whoever has the code [1-9A-HJ-NP-Za-km-z]{12}, until 20\S+Z$/m,
    );
    expect(output).toMatch(/^2 invites are pending$/m);
    const [, receiver] = /^the new wallet (\w+) has 0\.1 SOL$/m.exec(output) ?? [];
    expect(output).toMatch(/^the invite of \w+ ended: clawback$/m);
    expect(output).toContain(` ended: claimed by ${receiver}\n`);
  });

  it('trade on a prediction market, resolve it, and claim the payout', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/prediction.ts');
    expect(output).toMatch(/^It rains: yes costs 0\.4\d* USD$/m);
    const [, bought = ''] = /^bought ([\d.]+) contracts for [\d.]+ USD$/m.exec(output) ?? [];
    const left = Number((Number(bought) - 10).toFixed(2));
    expect(output).toContain(`\n${left} contracts are left\nclaimed ${left} JupUSD\n`);
  });

  it('forecast that a price rises, and receive the payout without a claim', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/forecast.ts');
    const [, bought = ''] = /^bought ([\d.]+) tokens for 20 USDC$/m.exec(output) ?? [];
    expect(output).toMatch(/^bitcoin has risen: up brings 0\.\d+ USDC$/m);
    const left = Number((Number(bought) - 5).toFixed(6));
    expect(output).toContain(`\nthe result is yes\nreceived ${left} USDC\n`);
  });

  it('launch a token by the library of its program, trade it, claim its fees, and see it graduate', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/bonding-curve.ts');
    expect(output).toMatch(/^launched \w+ on the curve \w+$/m);
    expect(output).toMatch(/^0\.5 SOL bought \d+\.?\d* LARK; met-dbc shows 12\.375% raised$/m);
    expect(output).toMatch(/^claimed 0\.004 SOL of fees$/m);
    expect(output).toMatch(/^graduated to the pool [1-9A-HJ-NP-Za-km-z]{32,44}$/m);
    expect(output).toMatch(/^sold for 1\.2\d* SOL$/m);
  });

  it('launch a token, trade it to its graduation, and claim the fees', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/launch.ts');
    expect(output).toMatch(/^launched EXAMPLE, \w{32,44}$/m);
    expect(output).toMatch(/^bought [\d.]+ tokens for 1000 USDC$/m);
    // The curve raises 17,941 USDC, and the fee of 1 % comes on top.
    expect(output).toMatch(/^bought [\d.]+ tokens for 171\d\d\.\d+ USDC$/m);
    expect(output).toMatch(/^graduated from \w{32,44} to \w{32,44}$/m);
    // The protocol has a fifth of the fees, and the creator half of the rest.
    expect(output).toMatch(/^claimed 72\.\d+ USDC of fees$/m);
  });

  it('swap with two signers by a wallet adapter of web3.js 1', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/wallet-adapter.ts');
    expect(output).toMatch(SWAPPED);
  });

  it.runIf(HAS_SOLDERS)('swap with two signers in Python (skipped without solders)', async () => {
    expect(await run('python3', 'examples/python/order_with_solders.py')).toMatch(SWAPPED);
  });

  it.runIf(HAS_PYTHON)('swap in Python (skipped without Python 3.8)', async () => {
    expect(await run('python3', 'examples/python/order.py')).toMatch(SWAPPED);
  });

  it.runIf(HAS_GO)('swap in Go (skipped without Go)', async () => {
    expect(await run('go', 'run', 'examples/go/order/main.go')).toMatch(SWAPPED);
  });

  it.runIf(HAS_RUST)('swap in Rust (skipped without Cargo and the crates in its cache)', async () => {
    const cargo = ['run', '--quiet', '--locked', '--offline', '--manifest-path', RUST];
    expect(await run('cargo', ...cargo)).toMatch(SWAPPED);
  });

  const folder = mkdtempSync(join(tmpdir(), 'sluice-quickstart-'));
  const payerFile = join(folder, 'payer.json');

  /** Pays for the swaps of the examples that take a payer. */
  beforeAll(async () => {
    const { secretKey } = await sluice.newWallet(1_000_000_000n);
    writeFileSync(payerFile, JSON.stringify([...secretKey]));
  });

  async function run(file: string, ...args: string[]): Promise<string> {
    const env = {
      ...environmentForInstances(),
      SLUICE_URL: sluice.restUrl,
      SLUICE_ADMIN_URL: sluice.adminUrl,
      SLUICE_WALLET: sluice.walletFile,
      SLUICE_PAYER: payerFile,
      SOLANA_RPC_URL: sluice.rpcUrl,
      SOLANA_WS_URL: sluice.shown('Solana WebSocket'),
      PYTHONDONTWRITEBYTECODE: '1',
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
      CARGO_TARGET_DIR: folder,
    };
    return (await promisify(execFile)(file, args, { cwd: root, env })).stdout;
  }

  it('buy in rounds while the clock is moved, and take the rest of the money back', async () => {
    const output = await run(process.execPath, '--import', 'tsx', 'examples/dca.ts');
    expect(output).toMatch(/^an hour later, both rounds have bought \d+\.\d+ SOL$/m);
    expect(output).toMatch(/^the portfolio shows it as SmartDCA, filled to 0\.67$/m);
    expect(output).toMatch(/^order [\w-]+ is cancelled, and the wallet has 12 USDC back$/m);
  });
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const RUST = 'examples/rust/order/Cargo.toml';
const SWAPPED = /^0\.1 SOL became \d+(\.\d+)? USDC.* in [1-9A-HJ-NP-Za-km-z]{80,90}$/m;

/** Whether a command can be run here and succeeds. */
function succeeds(file: string, ...args: string[]): boolean {
  try {
    execFileSync(file, args, { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Nothing is downloaded for a test: a language takes part if it is installed with what its example needs. */
const HAS_PYTHON = succeeds('python3', '-c', 'import sys; assert sys.version_info >= (3, 8)');
const HAS_SOLDERS = succeeds('python3', '-c', 'import solders');
const HAS_GO = succeeds('go', 'version');
const HAS_RUST = succeeds('cargo', 'fetch', '--locked', '--offline', '--manifest-path', RUST);
