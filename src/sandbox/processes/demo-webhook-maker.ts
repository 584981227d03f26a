import type { Pools } from '../../market/pools/pools.ts';
import { addMaker, type MakerRegistry, moveWebhook } from '../../rfq/records/maker-registry.ts';
import type { Address } from '../../solana/address.ts';
import { findStartingPrice } from './demo-maker.ts';
import { type ExampleHost, runExample } from './example-process.ts';

export interface DemoWebhookMakerOptions {
  /** The wallet that holds the inventory. */
  readonly wallet: Address;
  /** The path of the wallet's keypair file. */
  readonly walletFile: string;
  /** The URL of the embedded network's RPC. */
  readonly rpcUrl: string;
  readonly registry: MakerRegistry;
  /** Makes changes in the name of the demo. */
  readonly makeChangesAs: (actor: {
    readonly who: string;
    readonly from: string;
  }) => Parameters<typeof addMaker>[1];
  /** Reads the makers from the database, so that a new one is asked. */
  readonly refresh: () => Promise<void>;
  /** The price is computed from these pools. */
  readonly pools: Pools;
}

const NAME = 'demo-webhook-maker';
const ACTOR = { who: 'this start', from: 'this process' };

/**
 * Runs the example of a maker that is asked by webhook in a process of its own, on a free port, which it reports when
 * it listens.
 */
export function openDemoWebhookMaker(
  host: ExampleHost,
  { wallet, walletFile, rpcUrl, registry, makeChangesAs, refresh, pools }: DemoWebhookMakerOptions,
): void {
  const register = async (url: string) => {
    const webhook = { url, apiKey: null };
    const added = await addMaker(registry, makeChangesAs(ACTOR), {
      id: NAME,
      address: wallet,
      pairs: null,
      webhook,
    });
    if (!added.ok) {
      // An earlier start added it, and it listened on another port.
      const moved = await moveWebhook(makeChangesAs(ACTOR), NAME, url);
      if (!moved.ok) throw new Error(`the ${NAME} cannot be registered: ${moved.error.message}`);
    }
    await refresh();
  };
  runExample(host, {
    name: NAME,
    example: 'webhook-maker',
    env: {
      SOLANA_RPC_URL: rpcUrl,
      SLUICE_WEBHOOK_PORT: '0',
      // The spread is so wide that the maker wins only when it is the only one asked, and does not compete with other
      // liquidity.
      SLUICE_MAKER_SPREAD_BPS: '100',
      SLUICE_MAKER_WALLET: walletFile,
      ...findStartingPrice(pools),
    },
    onMessage: (url) => {
      if (typeof url !== 'string') return;
      register(url).catch((error: unknown) => host.logError({ err: error }, `the ${NAME} cannot be used`));
    },
  });
}
