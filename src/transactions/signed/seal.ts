import { openSeal, seal } from '../prepared/seal.ts';

/** What a transaction that a wallet signs and pays for itself does. */
export type Purpose = 'transfer' | 'reclaim' | 'limit-order' | 'dca-order';

const PAYLOAD_BYTES = 8;

/** Makes the request id of a transaction. It vouches for the message, so that nothing is stored. */
export function sealMessage(
  key: Uint8Array,
  purpose: Purpose,
  {
    messageBytes,
    lastValidBlockHeight,
  }: { readonly messageBytes: Uint8Array; readonly lastValidBlockHeight: bigint },
): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeBigUInt64LE(lastValidBlockHeight);
  return seal(key, payload, { purpose, messageBytes });
}

/** Returns the last block height at which the message can land; null if the id was not handed out with it. */
export function openMessageSeal(
  key: Uint8Array,
  purpose: Purpose,
  requestId: string,
  messageBytes: Uint8Array,
): bigint | null {
  return openSeal(key, requestId, PAYLOAD_BYTES, { purpose, messageBytes })?.readBigUInt64LE() ?? null;
}
