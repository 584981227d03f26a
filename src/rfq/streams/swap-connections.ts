import type { Timers } from '../../common/ports/timers.ts';
import type { MakerLink, OfferedSwap } from './maker-link.ts';
import { ResultOutbox } from './result-outbox.ts';
import type { OutgoingStream } from './stream.ts';

/** A message to a maker on its swap stream. */
export type SwapMessage =
  | { readonly kind: 'ready'; readonly text: string }
  | { readonly kind: 'pong'; readonly text?: string }
  | { readonly kind: 'available'; readonly swapUuid: string; readonly transaction: Uint8Array }
  | { readonly kind: 'confirmed'; readonly swapUuid: string; readonly signature: string }
  | { readonly kind: 'error'; readonly swapUuid: string; readonly text: string };

/** The result of a swap, as its maker is notified of it. */
export type SwapResultMessage = Extract<SwapMessage, { readonly kind: 'confirmed' | 'error' }>;

/**
 * The open swap streams, one per maker, and the results that their makers may not have received. This is the sending
 * side only: `SwapStreams` opens and closes the streams and handles what the makers send.
 */
export class SwapConnections implements MakerLink {
  readonly #streams = new Map<string, OutgoingStream<SwapMessage>>();
  readonly #outbox: ResultOutbox<SwapResultMessage>;

  constructor(timers: Pick<Timers, 'now'>) {
    this.#outbox = new ResultOutbox(() => timers.now());
  }

  /** Returns the maker's open stream; undefined if it has none. */
  get(makerId: string): OutgoingStream<SwapMessage> | undefined {
    return this.#streams.get(makerId);
  }

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size;
  }

  /** Whether the maker has an open stream. */
  isLive(makerId: string): boolean {
    return this.#streams.has(makerId);
  }

  /**
   * Makes `outgoing` the maker's stream.
   * Returns the stream that it replaces, which the caller must end.
   */
  replace(makerId: string, outgoing: OutgoingStream<SwapMessage>): OutgoingStream<SwapMessage> | undefined {
    const before = this.#streams.get(makerId);
    if (before !== undefined) this.#outbox.connectionLost(makerId);
    this.#streams.set(makerId, outgoing);
    return before;
  }

  /** Returns false if `outgoing` is no longer the maker's stream. */
  remove(makerId: string, outgoing: OutgoingStream<SwapMessage>): boolean {
    if (this.#streams.get(makerId) !== outgoing) return false;
    this.#streams.delete(makerId);
    this.#outbox.connectionLost(makerId);
    return true;
  }

  /** Called when the maker has certainly received everything that was written to its stream. */
  received(makerId: string): void {
    this.#outbox.connectionRead(makerId);
  }

  /** Returns the number of messages that the maker's connection has not accepted yet. */
  unread(makerId: string): number {
    return this.#streams.get(makerId)?.unread() ?? 0;
  }

  /** Sends unrequested PONGs, each with a text of `bytes` bytes. */
  burst(makerId: string, { messages, bytes }: { readonly messages: number; readonly bytes: number }): void {
    const stream = this.#streams.get(makerId);
    for (let sent = 0; sent < messages; sent++) stream?.send({ kind: 'pong', text: '.'.repeat(bytes) });
  }

  offer(swap: OfferedSwap): boolean {
    const stream = this.#streams.get(swap.makerId);
    stream?.send(createSwapAvailable(swap));
    return stream !== undefined;
  }

  confirmed(makerId: string, swapUuid: string, signature: string): void {
    this.sendResult(makerId, { kind: 'confirmed', swapUuid, signature });
  }

  failed(makerId: string, swapUuid: string, message: string): void {
    this.sendResult(makerId, { kind: 'error', swapUuid, text: message });
  }

  /** Sends the result now, or when the maker connects again. */
  sendResult(makerId: string, result: SwapResultMessage): void {
    const stream = this.#streams.get(makerId);
    this.#outbox.add(makerId, result, stream !== undefined);
    stream?.send(result);
  }

  /** Returns the results that the maker may not have received, oldest first; they count as sent from now on. */
  takeUndelivered(makerId: string): readonly SwapResultMessage[] {
    return this.#outbox.takeUndelivered(makerId);
  }
}

/** Returns the message that offers a swap to its maker. */
export function createSwapAvailable({ swapUuid, transaction }: OfferedSwap): SwapMessage {
  return { kind: 'available', swapUuid, transaction };
}
