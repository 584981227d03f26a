import type { PeerRequests } from '../../common/ports/peer-requests.ts';
import { serializePlain } from '../../common/plain-data.ts';
import { waitUnlessUnavailable } from '../../common/unavailable.ts';
import type { MakerOwners } from '../makers/maker-owners.ts';
import type { MakerLink, OfferedSwap } from '../streams/maker-link.ts';
import type { SwapConnections, SwapResultMessage } from '../streams/swap-connections.ts';

/** The subject of a result that another instance's maker is to be notified of. */
export const RESULT_SUBJECT = 'swap.end';

/** The body of a `RESULT_SUBJECT` message. */
export interface ResultMessage {
  readonly makerId: string;
  readonly end: SwapResultMessage;
}

/** A swap that another instance offered, while its maker's stream is at this one. */
export interface MigratedOffer {
  /** The instance that settles the swap. */
  readonly from: string;
  readonly swap: OfferedSwap;
  /** Unix milliseconds when this instance received the offer. */
  readonly since: number;
  /** Whether a submission of the maker is being forwarded to `from`. */
  isForwarding: boolean;
}

/** Offers of other instances, by swap. */
export type MigratedOffers = Map<string, MigratedOffer>;

export interface ClusterLinkOptions {
  readonly connections: SwapConnections;
  /** The offers that this instance has pushed for other instances. */
  readonly offers: MigratedOffers;
  readonly owners: Pick<MakerOwners, 'findOwner'>;
  readonly requests: Pick<PeerRequests, 'ask'>;
  readonly onDefect: (error: unknown) => void;
}

/** Reaches makers at this instance, and notifies makers at other instances of the results of their swaps. */
export class ClusterLink implements MakerLink {
  readonly #options: ClusterLinkOptions;

  constructor(options: ClusterLinkOptions) {
    this.#options = options;
  }

  offer(swap: OfferedSwap): boolean {
    const { connections, offers } = this.#options;
    // If this instance pushed the swap for another one and now takes it over, the maker already has it.
    const isPushed = offers.delete(swap.swapUuid);
    return isPushed ? connections.isLive(swap.makerId) : connections.offer(swap);
  }

  confirmed(makerId: string, swapUuid: string, signature: string): void {
    this.#send(makerId, { kind: 'confirmed', swapUuid, signature });
  }

  failed(makerId: string, swapUuid: string, message: string): void {
    this.#send(makerId, { kind: 'error', swapUuid, text: message });
  }

  /** Sends the result to the maker at another instance. If that does not answer, it is kept until the maker connects. */
  async sendTo(instance: string, makerId: string, end: SwapResultMessage): Promise<void> {
    const { requests, connections } = this.#options;
    const body = serializePlain({ makerId, end } satisfies ResultMessage);
    const delivered = await waitUnlessUnavailable(requests.ask(instance, RESULT_SUBJECT, body));
    if (delivered === null) connections.sendResult(makerId, end);
  }

  #send(makerId: string, result: SwapResultMessage): void {
    const { connections, owners, onDefect } = this.#options;
    if (connections.isLive(makerId)) {
      connections.sendResult(makerId, result);
      return;
    }
    const sendToOwner = async () => {
      const instance = await waitUnlessUnavailable(owners.findOwner(makerId));
      if (instance === null) connections.sendResult(makerId, result);
      else await this.sendTo(instance, makerId, result);
    };
    sendToOwner().catch(onDefect);
  }
}
