import type { PeerRequests } from '../../common/ports/peer-requests.ts';
import { parsePlain, serializePlain } from '../../common/plain-data.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { waitUnlessUnavailable } from '../../common/unavailable.ts';
import { LAST_LOOK_MS } from '../fills/fill-results.ts';
import type { LastLook, AsyncLastLook, OfferedSwap, SubmittedSwap } from '../streams/maker-link.ts';
import type { SwapConnections } from '../streams/swap-connections.ts';
import { type ClusterLink, type MigratedOffers, RESULT_SUBJECT, type ResultMessage } from './cluster-link.ts';

export interface MigratedFillsOptions {
  /** Settles the swaps that this instance offered. */
  readonly lastLook: LastLook;
  readonly connections: SwapConnections;
  readonly link: Pick<ClusterLink, 'sendTo'>;
  /** The offers that this instance pushes for other instances. */
  readonly offers: MigratedOffers;
  readonly requests: PeerRequests;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

const OFFER = 'swap.offer';
const SUBMITTED = 'swap.submitted';

/** The maximum number of offers of other instances; further ones are not pushed here. */
const MAX_OFFERS = 10_000;
/**
 * Offers are kept for this long after their arrival. A signature that was in the socket while this process was paused is
 * forwarded as well: the instance that offered the swap decides whether it is too late.
 */
const KEPT_MS = 6 * LAST_LOOK_MS;

/**
 * Fills whose maker moved to another instance during last look, or before it was notified of the result. The instance
 * that offered a swap settles it, wherever its maker connects. The instance with the maker's stream pushes the swap
 * again and forwards what the maker returns.
 */
export class MigratedFills implements AsyncLastLook {
  readonly #options: MigratedFillsOptions;

  constructor(options: MigratedFillsOptions) {
    this.#options = options;
    const { connections, requests, lastLook, offers } = options;
    requests.answer(OFFER, async (body, from) => {
      this.#push(parsePlain(body) as OfferedSwap, from);
      return '';
    });
    requests.answer(SUBMITTED, async (body) =>
      serializePlain(lastLook.submitted(parsePlain(body) as SubmittedSwap)),
    );
    requests.answer(RESULT_SUBJECT, async (body) => {
      const { makerId, end } = parsePlain(body) as ResultMessage;
      offers.delete(end.swapUuid);
      connections.sendResult(makerId, end);
      return '';
    });
  }

  submitted(swap: SubmittedSwap): string | null | Promise<string | null> {
    const { offers, lastLook } = this.#options;
    const offer = offers.get(swap.swapUuid);
    if (offer === undefined || offer.swap.makerId !== swap.makerId) return lastLook.submitted(swap);
    // Only one submission is forwarded at a time, so that a maker that submits in a loop does not use up the requests
    // that this instance may send to others.
    if (offer.isForwarding) return `the swap ${swap.swapUuid} was submitted before`;
    offer.isForwarding = true;
    return this.#forward(offer.from, swap).finally(() => {
      offer.isForwarding = false;
    });
  }

  pending(makerId: string): readonly OfferedSwap[] {
    const { offers, lastLook, timers } = this.#options;
    const since = timers.now() - LAST_LOOK_MS;
    const migrated = [...offers.values()].filter(
      (offer) => offer.swap.makerId === makerId && offer.since > since,
    );
    return [...lastLook.pending(makerId), ...migrated.map(({ swap }) => swap)];
  }

  /** Called when the maker has moved to another instance: sends that one the maker's pending swaps and missed results. */
  moved(makerId: string, instance: string): void {
    const { requests, connections, lastLook, link, onDefect } = this.#options;
    const ask = (subject: string, body: unknown) =>
      waitUnlessUnavailable(requests.ask(instance, subject, serializePlain(body)));
    // A swap that does not arrive there expires here.
    for (const swap of lastLook.pending(makerId)) ask(OFFER, swap).catch(onDefect);
    for (const result of connections.takeUndelivered(makerId)) {
      link.sendTo(instance, makerId, result).catch(onDefect);
    }
  }

  /** Pushes a swap to its maker for the instance that settles it. */
  #push(swap: OfferedSwap, from: string): void {
    const { connections, lastLook, offers, timers } = this.#options;
    const { swapUuid, makerId } = swap;
    // An instance that was paused may still offer a swap that this one has taken over from it.
    if (lastLook.knows(swapUuid) || offers.has(swapUuid)) return;
    if (offers.size >= MAX_OFFERS || !connections.isLive(makerId)) return;
    offers.set(swapUuid, { from, swap, since: timers.now(), isForwarding: false });
    timers.after(KEPT_MS, () => offers.delete(swapUuid));
    connections.offer(swap);
  }

  async #forward(from: string, swap: SubmittedSwap): Promise<string | null> {
    const answer = await waitUnlessUnavailable(
      this.#options.requests.ask(from, SUBMITTED, serializePlain(swap)),
    );
    if (answer === null) return `the instance that offered the swap ${swap.swapUuid} does not answer`;
    return parsePlain(answer) as string | null;
  }
}
