import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSolanaRpc } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bannerValue, environmentForInstances, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { commandsOf, Terminal } from './page-commands.ts';

describe('the quick start for market makers', () => {
  let folder: string;
  let instance: Instance;
  let banner: string;
  beforeAll(setUp);
  afterAll(tearDown);

  it('has the blocks of commands that this test runs', () => {
    expect(START?.trim()).toBe('npm start');
    expect(CHECK_STREAMS).toContain('--by streams');
  });

  it.runIf(HAS_PYTHON)(
    'makes a maker by webhook in Python that passes the check (skipped without Python 3.8)',
    async () => {
      let url = '';
      const terminal = await open('hooked', () => ({ 'http://127.0.0.1:8080': url }));
      const maker = await fund(terminal);
      const [, address, listens = ''] = await terminal.stay(WEBHOOK ?? '', /^(\w+) answers at (http\S+)$/m);
      expect(address).toBe(maker);
      url = listens;
      for (const body of HOSTILE_BODIES)
        for (const path of ['quote', 'swap']) {
          const headers = { 'x-api-key': 'a-secret' };
          const { status } = await fetch(`${url}/${path}`, { method: 'POST', headers, body });
          expect(status, `${path} ${body.slice(0, 40)}`).toBe(400);
        }
      const report = await terminal.run(`${COMMAND}\n${CHECK_WEBHOOK}`);
      expect(report).toContain('The maker hooked passed: 14 passed, 0 failed, 0 skipped.');
      if (HAS_CURL)
        await expect
          .poll(async () => JSON.parse(await terminal.run(ASK ?? '')))
          .toMatchObject({ router: 'jupiterz', outAmount: '19950000' });
    },
  );

  it.runIf(HAS_GRPC)(
    'makes a maker by streams in Python that passes the check (skipped without grpcio and grpcio-tools)',
    async () => {
      const terminal = await open('streaming');
      await fund(terminal);
      await terminal.run(`${COMMAND}\n${REGISTER}`);
      const [install = '', ...start] = (STREAM ?? '').split('\n');
      expect(install).toBe('pip install grpcio grpcio-tools');
      await terminal.stay(start.join('\n'), /^CONNECTION_READY/m);
      const report = await terminal.run(`${COMMAND}\n${CHECK_STREAMS}`);
      expect(report).toContain('The maker streaming passed: 13 passed, 0 failed, 0 skipped.');
    },
  );

  const terminals: Terminal[] = [];

  async function setUp(): Promise<void> {
    folder = mkdtempSync(join(tmpdir(), 'sluice-quickstart-maker-'));
    // However slow the machine is, a maker by webhook answers in time.
    const flags = [...withSlotsOf(50), ...FREE_PORTS, '--webhook-quote-ms=30000'];
    instance = startOwnInstance({ reason: 'gets makers, which a reset leaves', flags, folder });
    banner = await instance.ready();
  }

  async function tearDown(): Promise<void> {
    for (const terminal of terminals) await terminal.close();
    await instance?.stop();
    rmSync(folder, { recursive: true, force: true });
  }

  /** A terminal for a maker with an id of its own, in a folder with the files that the page has its reader fetch. */
  async function open(
    makerId: string,
    replaced: () => Record<string, string> = () => ({}),
  ): Promise<Terminal> {
    const checkout = join(folder, makerId);
    mkdirSync(checkout);
    for (const name of HAS_CURL ? ['bin'] : ['bin', 'examples'])
      symlinkSync(join(root, name), join(checkout, name));
    const portOf = (name: string) => new URL(bannerValue(banner, name)).port;
    const environment = () => ({
      ...environmentForInstances(),
      SLUICE_DATA_DIR: join(folder, '.sluice'),
      SLUICE_ADMIN_PORT: portOf('Admin'),
      SLUICE_RPC_PORT: portOf('Solana RPC'),
      SOLANA_RPC_URL: bannerValue(banner, 'Solana RPC'),
      SLUICE_GRPC: bannerValue(banner, 'Makers \\(gRPC\\)'),
      SLUICE_WEBHOOK_PORT: '0',
    });
    const all = () => ({
      acme: makerId,
      'http://127.0.0.1:8787': bannerValue(banner, 'REST'),
      ...replaced(),
    });
    const terminal = new Terminal({ folder: checkout, environment, replaced: all });
    terminals.push(terminal);
    if (HAS_CURL) await terminal.run(FETCH ?? '');
    return terminal;
  }

  /** Runs the part that both kinds of makers begin with, until what they have is confirmed, which is where swaps are simulated. */
  async function fund(terminal: Terminal): Promise<string> {
    const sluice = COMMAND ?? '';
    const said = await terminal.run(`${sluice}\n${FUND}`);
    const [, maker = ''] = / of (\w+) in transaction/.exec(said) ?? [];
    const rpc = createSolanaRpc(bannerValue(banner, 'Solana RPC'));
    const program = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
    await expect
      .poll(async () => {
        const options = { commitment: 'confirmed', encoding: 'base64' } as const;
        const owned = rpc.getTokenAccountsByOwner(maker as never, { programId: program as never }, options);
        return (await owned.send()).value.length;
      })
      .toBe(2);
    return maker;
  }
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const [START, COMMAND, FETCH, FUND, WEBHOOK, CHECK_WEBHOOK, ASK, REGISTER, STREAM, CHECK_STREAMS] =
  commandsOf('docs/quickstart/maker.md');
/** What the maker must answer with 400: too deep, too long, and of other types than it expects. */
const HOSTILE_BODIES = [
  '['.repeat(16_000),
  ' '.repeat(16_385),
  '[]',
  '{}',
  '{"amount":1e400,"quoteType":1,"transaction":5,"quoteId":[]}',
  '{"amount":"-1","quoteType":"exactIn","transaction":"A","quoteId":"x"}',
];

function succeeds(file: string, ...args: string[]): boolean {
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Nothing is downloaded for a test. */
const HAS_PYTHON = succeeds('python3', '-c', 'import sys; assert sys.version_info >= (3, 8)');
const HAS_GRPC = succeeds('python3', '-c', 'import grpc, grpc_tools');
const HAS_CURL = succeeds('curl', '--version');
