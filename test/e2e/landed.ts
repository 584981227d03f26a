import type { Connection } from '@solana/web3.js';
import { expect, vi } from 'vitest';

/**
 * Waits until a transaction is confirmed, and fails if it failed on chain. `confirmTransaction` is not used where an
 * instance is killed: it may still be asking when its subscription answers, and that question then fails unhandled.
 */
export async function untilLanded(connection: Connection, signature: string): Promise<void> {
  const status = await vi.waitFor(async () => {
    const { value } = await connection.getSignatureStatus(signature);
    if (value === null || value.confirmationStatus === 'processed') throw new Error('not confirmed yet');
    return value;
  });
  expect(status.err).toBeNull();
}
