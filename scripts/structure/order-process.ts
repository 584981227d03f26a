import { existsSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findExecutedFiles } from './coverage.ts';

/**
 * Measures which files an order executes, for the process that forked it. Its arguments are what is measured, the root of
 * the checkout, and the file that exports `runCli`.
 */
const WARM_UP = 10;
const RUNS = 9;

const [, , what = '', root = '', cli = ''] = process.argv;
const rootUrl = pathToFileURL(`${root}/`);
const files = what === 'order' ? await measureOrder() : await measureRequest();
process.send?.(files, () => process.exit(0));

/** Returns the parameters of an order. Amounts differ, so that no answer can come from a cache. */
function createQuery(run: number): Record<string, string> {
  return {
    inputMint: 'So11111111111111111111111111111111111111112',
    outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    amount: String(100_000_000 + run),
  };
}

/** Orders over the pools of the genesis, without HTTP and without an instance. */
async function measureOrder(): Promise<readonly string[]> {
  const { openTestSwap } = await import(findFixture(rootUrl).href);
  const swap = await openTestSwap();
  return measure(async (query) => (await swap.order(query)).transaction);
}

/** Starts an instance in this process, and sends it `GET /swap/v2/order`. */
async function measureRequest(): Promise<readonly string[]> {
  const { runCli } = await import(new URL(cli, rootUrl).href);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-structure-'));
  const ports = ['rest', 'admin', 'rpc', 'ws', 'grpc'].map((name) => `--${name}-port=0`);
  let ended: Promise<number> = Promise.resolve(0);
  try {
    const banner = await new Promise<string>((resolve, reject) => {
      const demo = ['--demo-maker=false', '--demo-traders=false'];
      const flags = ['--ephemeral', '--banner=json', '--log-level=warn', ...demo];
      ended = runCli(['start', ...flags, ...ports], {
        environment: {},
        cwd: folder,
        write: resolve,
        writeError: (text: string) => reject(new Error(text)),
        readLine: async () => '',
        interrupted: () => new AbortController().signal,
      });
    });
    const { urls, wallet, apiKey } = JSON.parse(banner);
    return await measure(async (query) => {
      const parameters = new URLSearchParams({ ...query, taker: wallet.address });
      const response = await fetch(`${urls.rest}/swap/v2/order?${parameters}`, {
        headers: { 'x-api-key': apiKey },
      });
      const body: unknown = await response.json();
      return (body as { readonly transaction?: string }).transaction;
    });
  } finally {
    process.kill(process.pid, 'SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  order: (query: Record<string, string>) => Promise<string | null | undefined>,
): Promise<readonly string[]> {
  const orderOnce = async (run: number) => {
    if (!(await order(createQuery(run)))) throw new Error('the order has no transaction');
  };
  for (let run = 0; run < WARM_UP; run++) await orderOnce(run);
  return findExecutedFiles(rootUrl.href, RUNS, (run) => orderOnce(WARM_UP + run));
}

/** The builder of a swap over the pools of the genesis, which stood among the tests at first. */
function findFixture(rootUrl: URL): URL {
  const current = new URL('src/testing/genesis-market/swap.ts', rootUrl);
  return existsSync(current) ? current : new URL('test/genesis-market/swap.ts', rootUrl);
}
