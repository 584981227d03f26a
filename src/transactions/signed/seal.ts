import { sha256 } from '../../solana/encoding/sha256.ts';
import { maximum } from '../../solana/units.ts';
import { openSeal, seal } from '../prepared/seal.ts';

/** What a transaction that a wallet signs does. */
export type Purpose = 'transfer' | 'reclaim' | 'limit-order' | 'dca-order' | 'prediction';

/** A message that is handed out. */
export interface HandedOutMessage {
  readonly messageBytes: Uint8Array;
  /** The last block height at which it can land. */
  readonly lastValidBlockHeight: bigint;
}

const HEIGHT_BYTES = 8;
const DIGEST_BYTES = 16;
/** The most messages that one request id vouches for. */
export const MAX_SEALED_MESSAGES = 16;
const NO_MESSAGE = new Uint8Array(0);

/** Makes the request id of a transaction. It vouches for the message, so that nothing is stored. */
export function sealMessage(
  key: Uint8Array,
  purpose: Purpose,
  { messageBytes, lastValidBlockHeight }: HandedOutMessage,
): string {
  return seal(key, encodeHeight(lastValidBlockHeight), { purpose, messageBytes });
}

/**
 * Makes one request id for several transactions, each of which can be executed with it.
 *
 * @throws RangeError for none, or more than `MAX_SEALED_MESSAGES`
 */
export function sealMessages(
  key: Uint8Array,
  purpose: Purpose,
  messages: readonly HandedOutMessage[],
): string {
  const [first] = messages;
  if (first === undefined || messages.length > MAX_SEALED_MESSAGES) {
    throw new RangeError(`an id vouches for 1 to ${MAX_SEALED_MESSAGES} messages, got ${messages.length}`);
  }
  if (messages.length === 1) return sealMessage(key, purpose, first);
  const heights = messages.map(({ lastValidBlockHeight }) => lastValidBlockHeight);
  // None of them can land after the last one of their heights.
  const last = heights.reduce(maximum);
  const digests = messages.map(({ messageBytes }) => computeDigest(messageBytes));
  const payload = Buffer.concat([encodeHeight(last), ...digests]);
  return seal(key, payload, toListSealed(purpose));
}

/** Returns the last block height at which the message can land; null if the id was not handed out with it. */
export function openMessageSeal(
  key: Uint8Array,
  purpose: Purpose,
  requestId: string,
  messageBytes: Uint8Array,
): bigint | null {
  const one = openSeal(key, requestId, HEIGHT_BYTES, { purpose, messageBytes });
  if (one !== null) return one.readBigUInt64LE();
  const digest = computeDigest(messageBytes);
  for (let count = 2; count <= MAX_SEALED_MESSAGES; count++) {
    const payload = openSeal(key, requestId, HEIGHT_BYTES + count * DIGEST_BYTES, toListSealed(purpose));
    if (payload === null) continue;
    return listDigests(payload).some((each) => digest.equals(each)) ? payload.readBigUInt64LE() : null;
  }
  return null;
}

/** The list of digests is in the payload, so the seal needs no message. Its own purpose keeps it apart from that of one message. */
function toListSealed(purpose: Purpose) {
  return { purpose: `several ${purpose}`, messageBytes: NO_MESSAGE };
}

function listDigests(payload: Buffer): readonly Buffer[] {
  const count = (payload.length - HEIGHT_BYTES) / DIGEST_BYTES;
  return Array.from({ length: count }, (_, index) => {
    const at = HEIGHT_BYTES + index * DIGEST_BYTES;
    return payload.subarray(at, at + DIGEST_BYTES);
  });
}

function computeDigest(messageBytes: Uint8Array): Buffer {
  return Buffer.from(sha256(messageBytes)).subarray(0, DIGEST_BYTES);
}

function encodeHeight(height: bigint): Buffer {
  const bytes = Buffer.alloc(HEIGHT_BYTES);
  bytes.writeBigUInt64LE(height);
  return bytes;
}
