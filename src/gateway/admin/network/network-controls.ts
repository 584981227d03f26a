import type { EmbeddedChain } from '../../../chain/embedded/network.ts';

/** Whether the network's pools follow the prices of its feeds, and the number of swaps that the current prices took. */
export interface PriceFollowing {
  readonly following: boolean;
  readonly trades: number;
}

/** What the admin interface can do to the embedded network. */
export type NetworkControls = ChainControls & {
  followPrices(following: boolean): Promise<PriceFollowing>;
};

type ChainControls = Pick<
  EmbeddedChain,
  | 'rpcUrl'
  | 'wsUrl'
  | 'slot'
  | 'clock'
  | 'faucet'
  | 'warp'
  | 'setAccounts'
  | 'saveSnapshot'
  | 'restoreSnapshot'
  | 'exportSnapshot'
  | 'importSnapshot'
  | 'reset'
  | 'deleteSnapshot'
  | 'snapshots'
  | 'setFaults'
  | 'faults'
  | 'faultNext'
  | 'nextFaults'
  | 'clearNextFaults'
  | 'faultCalls'
  | 'callFaults'
  | 'clearCallFaults'
  | 'prices'
  | 'setPrice'
  | 'walkPrice'
>;
