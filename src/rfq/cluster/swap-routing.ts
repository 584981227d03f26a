import type { PeerRequests } from '../../common/ports/peer-requests.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { MakerOwners, OwnerHandlers } from '../makers/maker-owners.ts';
import type { AsyncLastLook, LastLook, MakerLink } from '../streams/maker-link.ts';
import type { SwapConnections } from '../streams/swap-connections.ts';
import { ClusterLink, type MigratedOffers } from './cluster-link.ts';
import { MigratedFills } from './migrated-fills.ts';

export interface SwapRoutingOptions {
  readonly connections: SwapConnections;
  readonly owners: Pick<MakerOwners, 'findOwner'>;
  /** Null if this is the only instance. */
  readonly requests: PeerRequests | null;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

/** Carries swaps to makers and their signatures back, at this instance or another. */
export interface SwapRouting {
  readonly link: MakerLink;
  /** Returns the receiving side, which gives submissions to `settlement` or to the instance that offered the swap. */
  readonly receive: (settlement: LastLook) => {
    readonly lastLook: AsyncLastLook;
    readonly onMoved: OwnerHandlers['moved'];
  };
}

/**
 * Connects settlement with the makers' streams. There are two steps because settlement needs the sending side, and the
 * receiving side needs settlement.
 */
export function openSwapRouting(options: SwapRoutingOptions): SwapRouting {
  const { connections, owners, requests, timers, onDefect } = options;
  if (requests === null) {
    return {
      link: connections,
      receive: (settlement) => ({ lastLook: settlement, onMoved: () => undefined }),
    };
  }
  const offers: MigratedOffers = new Map();
  const link = new ClusterLink({ connections, offers, owners, requests, onDefect });
  return {
    link,
    receive: (settlement) => {
      const lastLook = settlement;
      const fills = new MigratedFills({ lastLook, connections, link, offers, requests, timers, onDefect });
      return { lastLook: fills, onMoved: (makerId, instance) => fills.moved(makerId, instance) };
    },
  };
}
