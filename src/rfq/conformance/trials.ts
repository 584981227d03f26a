import type { LastLook, OfferedSwap, SubmittedSwap } from '../streams/maker-link.ts';
import type { SwapStreams } from '../streams/swap-streams.ts';
import { readReturned } from '../fills/returned-swap.ts';

/** What a maker made of a swap of a check. */
export type Reply =
  | { readonly kind: 'signed'; readonly wire: Uint8Array }
  | { readonly kind: 'modified' }
  /** No answer that counts; the maker may try again. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** A swap that a check has its maker look at. */
export interface Trial {
  readonly swap: OfferedSwap;
  /** What came back until now. */
  readonly replies: readonly Reply[];
  /** Resolves with the first reply that counts. */
  readonly decided: Promise<Exclude<Reply, { kind: 'unusable' }>>;
  /** What comes back from now on is refused. */
  readonly end: () => void;
}

interface Held {
  readonly swap: OfferedSwap;
  readonly replies: Reply[];
  readonly decide: (reply: Exclude<Reply, { kind: 'unusable' }>) => void;
}

/**
 * Swaps of checks, which no order stands behind: they count for nothing, reserve nothing, and what a maker signs of them
 * stays with the check. Only the streams of makers under check are watched.
 */
export class Trials implements LastLook {
  readonly #streams: Pick<SwapStreams, 'watch'>;
  readonly #watched = new Map<string, () => void>();
  readonly #held = new Map<string, Held>();

  constructor(streams: Pick<SwapStreams, 'watch'>) {
    this.#streams = streams;
  }

  /** Watches the stream of the swap's maker, which is not offered the swap yet. */
  begin(swap: OfferedSwap): Trial {
    const { makerId } = swap;
    if (!this.#watched.has(makerId)) this.#watched.set(makerId, this.#streams.watch(makerId, this));
    const replies: Reply[] = [];
    let decide: Held['decide'] = () => {};
    const decided: Trial['decided'] = new Promise((resolve) => {
      decide = resolve;
    });
    this.#held.set(swap.swapUuid, { swap, replies, decide });
    return { swap, replies, decided, end: () => this.#held.delete(swap.swapUuid) };
  }

  /** Ends every trial, and the watching. */
  endAll(): void {
    this.#held.clear();
    for (const stop of this.#watched.values()) stop();
    this.#watched.clear();
  }

  submitted({ makerId, swapUuid, signedTransaction }: SubmittedSwap): string | null {
    const held = this.#held.get(swapUuid);
    if (held === undefined || held.swap.makerId !== makerId) return `there is no swap ${swapUuid} that waits`;
    const { swap, replies, decide } = held;
    if (isDecided(held)) return `the swap ${swapUuid} was submitted before`;
    const returned = readReturned(signedTransaction, swap.transaction);
    if (returned.kind === 'unusable') {
      const { reason } = returned;
      // A client that tries without end must not fill the memory.
      replies.splice(0, replies.length, { kind: 'unusable', reason });
      return `the swap ${swapUuid} waits on: ${reason}`;
    }
    const reply =
      returned.kind === 'signed'
        ? ({ kind: 'signed', wire: returned.wire } as const)
        : ({ kind: 'modified' } as const);
    replies.push(reply);
    decide(reply);
    return returned.kind === 'signed'
      ? null
      : `the swap ${swapUuid} was returned with another message than it was offered with: it is rejected`;
  }

  pending(makerId: string): readonly OfferedSwap[] {
    const waiting = [...this.#held.values()].filter(
      (held) => held.swap.makerId === makerId && !isDecided(held),
    );
    return waiting.map(({ swap }) => swap);
  }

  knows(swapUuid: string): boolean {
    return this.#held.has(swapUuid);
  }
}

function isDecided({ replies }: Held): boolean {
  return replies.some(({ kind }) => kind !== 'unusable');
}
