import { ByteReader } from '../codec/byte-reader.ts';

/** What the data of a call begins with by which a program emits an event to itself. Source: `emit_cpi!` of Anchor. */
const MARKER = Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d);
const HEAD = 16;

/** An event that a program has emitted by a call to itself. */
export interface SelfCalledEvent {
  /** The discriminator of the event, in hex. */
  readonly tag: string;
  /** Stands at the first field. */
  readonly fields: ByteReader;
}

/**
 * Reads the head of an event from the data of a call that a program made to itself: the marker of such calls (8 bytes), and
 * the discriminator of the event (8).
 *
 * @param subject - What the events are of, for the messages of the reader.
 * @returns Null for the data of any other call.
 *
 * @example
 * ```ts
 * import { readSelfCalledEvent } from './self-called-event.ts';
 *
 * readSelfCalledEvent(new Uint8Array(16), 'event'); // null
 * ```
 */
export function readSelfCalledEvent(data: Uint8Array, subject: string): SelfCalledEvent | null {
  if (data.length < HEAD || MARKER.some((byte, index) => data[index] !== byte)) return null;
  const tag = Buffer.from(data.subarray(MARKER.length, HEAD)).toString('hex');
  return { tag, fields: new ByteReader(data, subject, HEAD) };
}
