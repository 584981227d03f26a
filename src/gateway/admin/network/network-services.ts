import type { EmbeddedChain, NetworkControls } from '../../../chain/embedded/network.ts';
import type { RequestFaults } from '../../pipeline/request-faults.ts';

/** The embedded network as the admin interface uses it. */
export interface AdminNetwork extends NetworkControls, Pick<EmbeddedChain, 'rpcUrl' | 'wsUrl' | 'clock'> {}

/** Moves the pools of the network to the prices of its feeds. */
export interface PoolFollower {
  /** Whether the pools follow the prices now. */
  readonly following: boolean;
  /** Follows every price from now on. Resolves to the number of swaps that the current prices took. */
  readonly follow: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

export interface NetworkServices {
  readonly network: AdminNetwork;
  /** Null when the pools cannot follow prices. */
  readonly follower: PoolFollower | null;
  /** Faults of requests to the public server. */
  readonly requestFaults: RequestFaults;
}
