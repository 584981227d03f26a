import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepDemoMaker } from '../data-folder/demo-files.ts';
import { openAppendOnlyLog } from '../data-folder/append-only-log.ts';
import type { Pools } from '../market/pools/pools.ts';
import { dollarsPerAtom } from '../market/prices/prices.ts';
import { newApiKey } from '../platform/credentials/api-key.ts';
import { addMaker } from '../platform/makers/makers.ts';
import { every } from '../common/ports/timers.ts';
import { WRAPPED_SOL_MINT } from '../solana/program-addresses.ts';
import type { Network } from './network.ts';
import type { StartContext } from './opening.ts';
import type { State } from './state.ts';

export interface DemoMakerOptions {
  readonly state: Pick<State, 'folder' | 'platform'>;
  /** Has the wallet that holds the inventory; without one there is no demo maker. */
  readonly network: Pick<Network, 'demoMaker'>;
  /** Where makers connect. */
  readonly grpcUrl: string;
  /** Lets the makers' side see a maker that was added. */
  readonly refresh: () => Promise<void>;
  /** What it starts to quote around. */
  readonly pools: Pools;
}

const DEMO_MAKER = 'demo-maker';
const ACTOR = { who: 'first start', from: 'this process' };
const LAMPORTS_PER_SOL = 1e9;
const MAX_STOP_MS = 2_000;

/**
 * Runs the example of a maker in a process of its own, which knows of this one what any maker does: where to connect,
 * its key, and from somewhere else what SOL is worth at the start. What it prints is in `demo-maker.log` in the data
 * folder. It ends with this process, however that ends. Not in production, and where makers connect by TLS, whose
 * certificate it could not check.
 */
export async function openDemoMaker(
  { config, logger, toClose }: StartContext,
  { state, network, grpcUrl, refresh, pools }: DemoMakerOptions,
): Promise<void> {
  const wallet = network.demoMaker;
  if (wallet === null || !config.makers.demo || config.production || config.makers.tls !== null) return;
  const { folder, platform } = state;
  const { key, walletFile } = keepDemoMaker(folder, wallet, () => newApiKey(config.keyPrefix));
  const terms = { id: DEMO_MAKER, address: wallet.address, pairs: null };
  const added = await addMaker(platform, ACTOR, terms, key);
  if (added.ok) await refresh();
  // An earlier start added it; what the operator has done to it since then is left as it is.
  else if (added.error.code !== 'already-exists') {
    throw new Error(`the demo maker cannot be added: ${added.error.message}`);
  }
  const { descriptor: log, stop: stopLog } = openAppendOnlyLog(join(folder, 'demo-maker.log'), every);
  const child = spawn(process.execPath, program(import.meta.url), {
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      SLUICE_GRPC: grpcUrl,
      SLUICE_MAKER_KEY: key,
      SLUICE_MAKER_ID: DEMO_MAKER,
      SLUICE_MAKER_WALLET: walletFile,
      ...startingPrice(pools),
    },
  });
  closeSync(log);
  child.on('error', (error) => logger.error({ err: error }, 'the demo maker cannot be started'));
  // It keeps nobody waiting who wants to end.
  child.unref();
  child.channel?.unref();
  toClose(() => {
    stopLog();
    return stop(child);
  });
}

/** Dollars for one SOL; without pools that tell, the example has a price of its own. */
function startingPrice(pools: Pools): { readonly SLUICE_MAKER_PRICE?: string } {
  const dollars = dollarsPerAtom(pools, WRAPPED_SOL_MINT);
  return dollars === null ? {} : { SLUICE_MAKER_PRICE: (dollars * LAMPORTS_PER_SOL).toFixed(6) };
}

function program(from: string): string[] {
  return from.endsWith('.ts')
    ? ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('../../examples/maker.ts', from))]
    : [fileURLToPath(new URL('./demo-maker.js', from))];
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  const insist = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS);
  child.ref();
  child.kill('SIGTERM');
  await ended;
  clearTimeout(insist);
}
