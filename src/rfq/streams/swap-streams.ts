import type { Timers } from '../../common/ports/timers.ts';
import type { LastLook, LastLookAnywhere, MakerLink, OfferedSwap } from './maker-link.ts';
import type { Makers } from '../makers/makers.ts';
import type { Outgoing, StreamEnd } from './stream.ts';
import { StreamRate } from './stream-rate.ts';
import { ResultOutbox } from './result-outbox.ts';

/** What a maker is sent on its swap stream. */
export type SwapMessage =
  | { readonly kind: 'ready'; readonly text: string }
  | { readonly kind: 'pong'; readonly text?: string }
  | { readonly kind: 'available'; readonly swapUuid: string; readonly transaction: Uint8Array }
  | { readonly kind: 'confirmed'; readonly swapUuid: string; readonly signature: string }
  | { readonly kind: 'error'; readonly swapUuid: string; readonly text: string };

/** How a swap ended. */
export type SwapEnd = Extract<SwapMessage, { readonly kind: 'confirmed' | 'error' }>;

/** What a maker sends; `kind` is `other` for a message that only the service may send. */
export interface MakerMessage {
  readonly kind: 'ping' | 'pong' | 'submit' | 'other';
  readonly swapUuid: string;
  readonly signedTransaction: string;
}

/** The maker's side of an open stream. */
export interface SwapStream {
  readonly received: (message: MakerMessage) => void;
  /** The stream is gone, whoever ended it. */
  readonly closed: () => void;
  /** The maker has read it to its end; known after `closed`, when at all. */
  readonly left: () => void;
}

/** Nobody settles swaps: none waits for a maker. */
const NO_SETTLEMENT: LastLookAnywhere = {
  submitted: ({ swapUuid }) => `there is no swap ${swapUuid} that waits for a signature`,
  pending: () => [],
};

/** The makers' swap streams, one per maker: the newest. */
export class SwapStreams implements MakerLink {
  readonly #makers: Makers;
  readonly #onGone: (makerId: string) => void;
  readonly #streams = new Map<string, Outgoing<SwapMessage>>();
  readonly #rate: StreamRate;
  readonly #ends: ResultOutbox<SwapEnd>;
  /** The last looks of conformance checks, by maker. */
  readonly #watches = new Map<string, LastLook>();
  #lastLook: LastLookAnywhere = NO_SETTLEMENT;

  /** @param onGone told when a maker has no stream any more */
  constructor(makers: Makers, timers: Timers, onGone: (makerId: string) => void) {
    this.#onGone = onGone;
    this.#makers = makers;
    this.#rate = new StreamRate(timers, 'swap');
    this.#ends = new ResultOutbox(() => timers.now());
  }

  /** From now on this settles what makers return. */
  settleBy(lastLook: LastLookAnywhere): void {
    this.#lastLook = lastLook;
  }

  /**
   * Gives what one maker returns of the swaps that `lastLook` knows to it. Everything else goes its usual way.
   * @returns the way to stop
   */
  watch(makerId: string, lastLook: LastLook): () => void {
    this.#watches.set(makerId, lastLook);
    return () => {
      if (this.#watches.get(makerId) === lastLook) this.#watches.delete(makerId);
    };
  }

  isLive(makerId: string): boolean {
    return this.#streams.has(makerId);
  }

  /** Null when the maker has opened too many streams lately; `outgoing` was ended then. */
  open(makerId: string, outgoing: Outgoing<SwapMessage>): SwapStream | null {
    const refusal = this.#rate.refusal(makerId);
    if (refusal !== null) {
      outgoing.end('RESOURCE_EXHAUSTED', refusal);
      return null;
    }
    const before = this.#streams.get(makerId);
    this.#streams.set(makerId, outgoing);
    if (before !== undefined) this.#ends.lost(makerId);
    before?.end('ABORTED', 'another swap stream of the same maker took the place of this one');
    this.#connect(makerId, outgoing);
    outgoing.send({ kind: 'ready', text: `ready for swaps of ${makerId}` });
    for (const end of this.#ends.take(makerId)) outgoing.send(end);
    const watched = this.#watches.get(makerId)?.pending(makerId) ?? [];
    for (const swap of [...this.#lastLook.pending(makerId), ...watched]) outgoing.send(available(swap));
    return {
      received: (message) => this.#receive(makerId, outgoing, message),
      closed: () => this.#close(makerId, outgoing),
      left: () => {
        // Another stream has told the same again, and may yet be lost.
        if (!this.#streams.has(makerId)) this.#ends.left(makerId);
      },
    };
  }

  /** Ends the maker's stream, if it has one. */
  end(makerId: string, code: StreamEnd, reason: string): void {
    const stream = this.#streams.get(makerId);
    if (stream === undefined) return;
    // What was written before is sent before the reason.
    this.#ends.left(makerId);
    this.#close(makerId, stream);
    stream.end(code, reason);
  }

  /** Messages that the maker's connection has not taken yet. */
  unread(makerId: string): number {
    return this.#streams.get(makerId)?.unread() ?? 0;
  }

  /** Sends PONGs that nobody asked for, each with a text of so many bytes. */
  burst(makerId: string, { messages, bytes }: { readonly messages: number; readonly bytes: number }): void {
    const stream = this.#streams.get(makerId);
    for (let sent = 0; sent < messages; sent++) stream?.send({ kind: 'pong', text: '.'.repeat(bytes) });
  }

  offer(swap: OfferedSwap): boolean {
    const stream = this.#streams.get(swap.makerId);
    stream?.send(available(swap));
    return stream !== undefined;
  }

  confirmed(makerId: string, swapUuid: string, signature: string): void {
    this.tell(makerId, { kind: 'confirmed', swapUuid, signature });
  }

  failed(makerId: string, swapUuid: string, message: string): void {
    this.tell(makerId, { kind: 'error', swapUuid, text: message });
  }

  /** The ends of swaps that the maker may not have been told, which from now on it is. */
  untold(makerId: string): readonly SwapEnd[] {
    return this.#ends.take(makerId);
  }

  /** Writes it, at the latest when the maker comes back. */
  tell(makerId: string, end: SwapEnd): void {
    const stream = this.#streams.get(makerId);
    this.#ends.add(makerId, end, stream !== undefined);
    stream?.send(end);
  }

  /** Once this process owns the maker. */
  #connect(makerId: string, outgoing: Outgoing<SwapMessage>): void {
    const owning = this.#makers.own(makerId);
    if (owning === null) {
      this.#makers.connected(makerId);
      return;
    }
    owning.then(
      () => {
        if (this.#streams.get(makerId) === outgoing) this.#makers.connected(makerId);
      },
      () => outgoing.end('UNAVAILABLE', 'the database does not answer; open the stream again'),
    );
  }

  #receive(makerId: string, outgoing: Outgoing<SwapMessage>, message: MakerMessage): void {
    const { kind, swapUuid, signedTransaction } = message;
    if (kind === 'ping') outgoing.send({ kind: 'pong' });
    if (kind === 'other') {
      const text = 'a maker sends PING, PONG and SWAP_SUBMIT; the other message types are for the service';
      outgoing.send({ kind: 'error', swapUuid, text });
    }
    if (kind !== 'submit') return;
    const answer = (refused: string | null) => {
      if (refused !== null) outgoing.send({ kind: 'error', swapUuid, text: refused });
    };
    const watch = this.#watches.get(makerId);
    const lastLook = watch?.knows(swapUuid) === true ? watch : this.#lastLook;
    const refused = lastLook.submitted({ makerId, swapUuid, signedTransaction });
    if (!(refused instanceof Promise)) answer(refused);
    else {
      refused.then(answer, () => answer(`the swap ${swapUuid} could not be taken`));
    }
  }

  #close(makerId: string, outgoing: Outgoing<SwapMessage>): void {
    if (this.#streams.get(makerId) !== outgoing) return;
    this.#streams.delete(makerId);
    this.#ends.lost(makerId);
    this.#makers.disconnected(makerId);
    this.#onGone(makerId);
  }
}

function available({ swapUuid, transaction }: OfferedSwap): SwapMessage {
  return { kind: 'available', swapUuid, transaction };
}
