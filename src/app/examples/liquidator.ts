import { keepLiquidatorWallet } from '../../data-folder/demo-files.ts';
import { runExample } from './example-process.ts';
import type { Network } from '../state/network.ts';
import type { StartContext } from '../state/start-context.ts';

export interface LiquidatorOptions {
  /** The data folder. */
  readonly folder: string;
  /** When `wallets` is null, there is no liquidator. */
  readonly network: Pick<Network, 'wallets' | 'place'>;
  readonly restUrl: string;
  /** Null if it calls without an API key, within the limits of such callers. */
  readonly apiKey: string | null;
}

/**
 * Runs the example liquidator in a process of its own if a setting asks for it. It knows only the URLs of REST and the
 * RPC, and its wallet. It does not run in production or over an outside RPC, where operators choose their own
 * liquidators.
 */
export function openLiquidator(
  context: StartContext,
  { folder, network: { wallets, place }, restUrl, apiKey }: LiquidatorOptions,
): void {
  const { config } = context;
  if (wallets === null || place.kind !== 'embedded' || !config.liquidator || config.production) return;
  runExample(context, {
    name: 'liquidator',
    example: 'liquidator',
    folder,
    env: {
      SLUICE_URL: restUrl,
      ...(apiKey === null ? {} : { SLUICE_LIQUIDATOR_KEY: apiKey }),
      SOLANA_RPC_URL: place.rpcUrl,
      SOLANA_WS_URL: place.wsUrl,
      SLUICE_WALLET: keepLiquidatorWallet(folder, wallets.liquidator),
    },
  });
}
