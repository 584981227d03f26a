import type { EmbeddedChain, NetworkControls } from '../../../chain/embedded/network.ts';

/** Whether the network's pools follow the prices of its feeds, and the number of swaps that the current prices took. */
export interface PriceFollowing {
  readonly following: boolean;
  readonly trades: number;
}

/** The embedded network as the admin interface uses it. */
export interface AdminNetwork extends NetworkControls, Pick<EmbeddedChain, 'rpcUrl' | 'wsUrl' | 'clock'> {
  followPrices(following: boolean): Promise<PriceFollowing>;
}
