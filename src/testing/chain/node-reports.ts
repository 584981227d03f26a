import { encodeBase58 } from '../../solana/encoding/base58.ts';
import { createTestKey } from './bank.ts';

export const PROGRAM = createTestKey(1).address;
/** The lines of a log that show a call of `PROGRAM`. */
export const CALLED = [`Program ${PROGRAM} invoke [2]`, `Program ${PROGRAM} success`];

/** Makes a signature, another one for each index. */
export function createTestSignature(index: number): string {
  const bytes = new Uint8Array(64).fill(1);
  new DataView(bytes.buffer).setUint32(0, index);
  return encodeBase58(bytes);
}

/** Makes the notification of `logsSubscribe` about a transaction. */
export function createLogsNotification(index: number, lines: readonly string[], err: unknown = null) {
  return { context: { slot: 7 }, value: { signature: createTestSignature(index), err, logs: lines } };
}
