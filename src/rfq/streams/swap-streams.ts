import type { Timers } from '../../common/ports/timers.ts';
import type { Makers } from '../makers/makers.ts';
import type { LastLook, AsyncLastLook } from './maker-link.ts';
import type { OutgoingStream, StreamEnd } from './stream.ts';
import { StreamRate } from './stream-rate.ts';
import { createSwapAvailable, type SwapConnections, type SwapMessage } from './swap-connections.ts';

/** A message from a maker. `kind` is `other` for a message type that only the service may send. */
export interface MakerMessage {
  readonly kind: 'ping' | 'pong' | 'submit' | 'other';
  readonly swapUuid: string;
  readonly signedTransaction: string;
}

/** The maker's side of an open stream. */
export interface SwapStream {
  readonly received: (message: MakerMessage) => void;
  /** Called when the stream is gone, whichever side ended it. */
  readonly closed: () => void;
  /** Called after `closed` if it is known that the maker read the stream to its end. */
  readonly readToEnd: () => void;
}

export interface SwapStreamsOptions {
  readonly connections: SwapConnections;
  readonly makers: Pick<Makers, 'acquire' | 'connected' | 'disconnected'>;
  /** Settles the swaps that makers return. */
  readonly lastLook: AsyncLastLook;
  readonly timers: Pick<Timers, 'now'>;
  /** Reads the operator's records again, by which the streams of makers end that were removed. */
  readonly refreshMakers: () => Promise<void>;
  /** Called when a maker's swap stream is gone. */
  readonly onGone: (makerId: string) => void;
}

/** Opens and ends the makers' swap streams, one per maker: a newer stream replaces the older one. */
export class SwapStreams {
  readonly #options: SwapStreamsOptions;
  readonly #rate: StreamRate;
  /** The last looks of conformance checks, by maker. */
  readonly #watches = new Map<string, LastLook>();

  constructor(options: SwapStreamsOptions) {
    this.#options = options;
    this.#rate = new StreamRate(options.timers, 'swap');
  }

  /**
   * Gives `lastLook` the submissions of one maker for the swaps that `lastLook` knows. Every other submission goes to
   * settlement directly.
   * Returns a function that stops it.
   */
  watch(makerId: string, lastLook: LastLook): () => void {
    this.#watches.set(makerId, lastLook);
    return () => {
      if (this.#watches.get(makerId) === lastLook) this.#watches.delete(makerId);
    };
  }

  /**
   * Opens a maker's swap stream: sends it the results it may have missed and the swaps that wait for its signature.
   * Returns null if the maker has opened too many streams recently; `outgoing` has been ended then.
   *
   * @example
   * ```ts
   * import type { OutgoingStream } from './stream.ts';
   * import type { SwapMessage } from './swap-connections.ts';
   * import type { SwapStreams } from './swap-streams.ts';
   *
   * // Passes on the maker's signature of a swap.
   * function submit(streams: SwapStreams, outgoing: OutgoingStream<SwapMessage>, uuid: string, base64: string): void {
   *   const stream = streams.open('maker-1', outgoing);
   *   stream?.received({ kind: 'submit', swapUuid: uuid, signedTransaction: base64 });
   * }
   * ```
   */
  open(makerId: string, outgoing: OutgoingStream<SwapMessage>): SwapStream | null {
    const { connections, lastLook } = this.#options;
    const refusal = this.#rate.refusal(makerId);
    if (refusal !== null) {
      outgoing.end('RESOURCE_EXHAUSTED', refusal);
      return null;
    }
    const before = connections.replace(makerId, outgoing);
    before?.end('ABORTED', 'another swap stream of the same maker took the place of this one');
    this.#connect(makerId, outgoing);
    outgoing.send({ kind: 'ready', text: `ready for swaps of ${makerId}` });
    for (const result of connections.takeUndelivered(makerId)) outgoing.send(result);
    const watched = this.#watches.get(makerId)?.pending(makerId) ?? [];
    for (const swap of [...lastLook.pending(makerId), ...watched]) outgoing.send(createSwapAvailable(swap));
    return {
      received: (message) => this.#receive(makerId, outgoing, message),
      closed: () => this.#close(makerId, outgoing),
      readToEnd: () => {
        // A newer stream has received the same results again, and may still be lost.
        if (!connections.isLive(makerId)) connections.received(makerId);
      },
    };
  }

  /** Ends the maker's stream, if it has one. */
  end(makerId: string, code: StreamEnd, reason: string): void {
    const { connections } = this.#options;
    const stream = connections.get(makerId);
    if (stream === undefined) return;
    // What was written earlier is sent before the reason.
    connections.received(makerId);
    this.#close(makerId, stream);
    stream.end(code, reason);
  }

  /** The maker counts as connected once this process owns it. */
  #connect(makerId: string, outgoing: OutgoingStream<SwapMessage>): void {
    const { makers, connections } = this.#options;
    const owning = makers.acquire(makerId);
    if (owning === null) {
      makers.connected(makerId);
      return;
    }
    owning.then(
      () => {
        if (connections.get(makerId) === outgoing) makers.connected(makerId);
      },
      () => void this.#endUnowned(makerId, outgoing),
    );
  }

  /** The store also refuses an owner to a maker that the operator has just removed, which is another reason for the maker. */
  async #endUnowned(makerId: string, outgoing: OutgoingStream<SwapMessage>): Promise<void> {
    const { connections, refreshMakers } = this.#options;
    await refreshMakers().catch(() => undefined);
    if (connections.get(makerId) !== outgoing) return;
    outgoing.end('UNAVAILABLE', 'the database does not answer; open the stream again');
  }

  #receive(makerId: string, outgoing: OutgoingStream<SwapMessage>, message: MakerMessage): void {
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
    const lastLook = watch?.knows(swapUuid) === true ? watch : this.#options.lastLook;
    const refused = lastLook.submitted({ makerId, swapUuid, signedTransaction });
    if (!(refused instanceof Promise)) answer(refused);
    else {
      refused.then(answer, () => answer(`the swap ${swapUuid} could not be taken`));
    }
  }

  #close(makerId: string, outgoing: OutgoingStream<SwapMessage>): void {
    const { connections, makers, onGone } = this.#options;
    if (!connections.remove(makerId, outgoing)) return;
    makers.disconnected(makerId);
    onGone(makerId);
  }
}
