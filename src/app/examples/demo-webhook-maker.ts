import { keepWebhookMakerWallet } from '../../data-folder/demo-files.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { addMaker, moveWebhook } from '../../platform/makers/makers.ts';
import { startingPrice } from './demo-maker.ts';
import { runExample } from './example-process.ts';
import type { Network } from '../state/network.ts';
import type { StartContext } from '../state/start-context.ts';
import type { State } from '../state/state.ts';

export interface DemoWebhookMakerOptions {
  readonly state: Pick<State, 'folder' | 'platform'>;
  /** When `wallets` is null, there is no such maker. */
  readonly network: Pick<Network, 'wallets' | 'place'>;
  /** Reads the makers from the database, so that a new one is asked. */
  readonly refresh: () => Promise<void>;
  /** The price is computed from these pools. */
  readonly pools: Pools;
}

const NAME = 'demo-webhook-maker';
const ACTOR = { who: 'this start', from: 'this process' };

/**
 * Runs the example of a maker that is asked by webhook in a process of its own, on a free port, which it reports when
 * it listens. It runs where the demo maker does.
 */
export function openDemoWebhookMaker(
  context: StartContext,
  { state, network: { wallets, place }, refresh, pools }: DemoWebhookMakerOptions,
): void {
  const { config, logger } = context;
  if (wallets === null || place.kind !== 'embedded' || !config.makers.demo || config.production) return;
  const wallet = wallets.webhookMaker;
  const { folder, platform } = state;
  const register = async (url: string) => {
    const webhook = { url, apiKey: null };
    const added = await addMaker(platform, ACTOR, {
      id: NAME,
      address: wallet.address,
      pairs: null,
      webhook,
    });
    if (!added.ok) {
      // An earlier start added it, and it listened on another port.
      const moved = await moveWebhook(platform, ACTOR, NAME, url);
      if (!moved.ok) throw new Error(`the ${NAME} cannot be registered: ${moved.error.message}`);
    }
    await refresh();
  };
  runExample(context, {
    name: NAME,
    example: 'webhook-maker',
    folder,
    env: {
      SOLANA_RPC_URL: place.rpcUrl,
      SLUICE_WEBHOOK_PORT: '0',
      // The spread is so wide that the maker wins only when it is the only one asked, and does not compete with other
      // liquidity.
      SLUICE_MAKER_SPREAD_BPS: '100',
      SLUICE_MAKER_WALLET: keepWebhookMakerWallet(folder, wallet),
      ...startingPrice(pools),
    },
    onMessage: (url) => {
      if (typeof url !== 'string') return;
      register(url).catch((error: unknown) => logger.error({ err: error }, `the ${NAME} cannot be used`));
    },
  });
}
