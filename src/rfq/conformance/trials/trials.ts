import type { LastLook, OfferedSwap, SubmittedSwap } from '../../streams/maker-link.ts';
import type { SwapStreams } from '../../streams/swap-streams.ts';
import { readReturned } from '../../fills/returned-swap.ts';

/** What a maker returned for a swap of a check. */
export type Reply =
  | { readonly kind: 'signed'; readonly wire: Uint8Array }
  | { readonly kind: 'modified' }
  /** Not a usable answer; the maker may try again. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** A swap of a check, which its maker may be offered. */
export interface Trial {
  readonly swap: OfferedSwap;
  /** Everything that the maker has returned so far. */
  readonly replies: readonly Reply[];
  /** Resolves with the first usable reply. */
  readonly decided: Promise<Exclude<Reply, { kind: 'unusable' }>>;
  /** Ends the trial: later submissions are refused. */
  readonly end: () => void;
}

interface TrialSwap {
  readonly swap: OfferedSwap;
  readonly replies: Reply[];
  readonly decide: (reply: Exclude<Reply, { kind: 'unusable' }>) => void;
}

/**
 * The swaps of conformance checks. No order stands behind them: they affect neither scores nor inventory, and what a
 * maker signs stays with the check. Only the streams of makers under check are watched; other submissions go to
 * settlement directly.
 *
 * @example
 * ```ts
 * import type { OfferedSwap } from '../../streams/maker-link.ts';
 * import type { Trials } from './trials.ts';
 *
 * async function wasSigned(trials: Trials, swap: OfferedSwap): Promise<boolean> {
 *   const trial = trials.begin(swap);
 *   const { kind } = await trial.decided;
 *   trial.end();
 *   return kind === 'signed';
 * }
 * ```
 */
export class Trials implements LastLook {
  readonly #streams: Pick<SwapStreams, 'watch'>;
  readonly #watched = new Map<string, () => void>();
  readonly #held = new Map<string, TrialSwap>();

  constructor(streams: Pick<SwapStreams, 'watch'>) {
    this.#streams = streams;
  }

  /** Begins a trial, and watches its maker's stream. The caller offers the swap to the maker. */
  begin(swap: OfferedSwap): Trial {
    const { makerId } = swap;
    if (!this.#watched.has(makerId)) this.#watched.set(makerId, this.#streams.watch(makerId, this));
    const replies: Reply[] = [];
    let decide: TrialSwap['decide'] = () => {};
    const decided: Trial['decided'] = new Promise((resolve) => {
      decide = resolve;
    });
    this.#held.set(swap.swapUuid, { swap, replies, decide });
    return { swap, replies, decided, end: () => this.#held.delete(swap.swapUuid) };
  }

  /** Ends all trials, and stops watching. */
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
      // Only the newest unusable reply is kept, so that a client in a loop does not fill the memory.
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

function isDecided({ replies }: TrialSwap): boolean {
  return replies.some(({ kind }) => kind !== 'unusable');
}
