import type { EmbeddedChain } from '../../chain/embedded/network.ts';

/** What the admin interface does to the embedded network. */
export type NetworkControls = Pick<
  EmbeddedChain,
  | 'faucet'
  | 'warp'
  | 'setAccounts'
  | 'saveSnapshot'
  | 'restoreSnapshot'
  | 'deleteSnapshot'
  | 'snapshots'
  | 'setFaults'
  | 'faults'
>;
