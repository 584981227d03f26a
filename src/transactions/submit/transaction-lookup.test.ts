import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import type { Chain } from '../../chain/chain.ts';
import { searchAgain } from './transaction-lookup.ts';

describe('a node without history', () => {
  it('denies a transaction only while it knows all blocks that its blockhash lived for', async () => {
    expect(await saidOf(0n, 150n)).toBeNull();
    expect(await saidOf(1n, 150n)).toBe('denied');
    expect(await saidOf(100n, 150n)).toBe('denied');
    expect(await saidOf(101n, 150n)).toBeNull();
    expect(await saidOf(50n, 200n)).toBe('denied');
    expect(await saidOf(51n, 200n)).toBeNull();
    expect(await saidOf(1n, 1_200n)).toBeNull();
  });
});

const EXPIRY = 5_000n;

/** What a node without history, as of so many blocks after the expiry, says of a transaction that it does not know. */
async function saidOf(blocksAfter: bigint, lifetime: bigint) {
  const height = EXPIRY + blocksAfter;
  const chain = {
    blockHeight: () => height,
    recentBlockhash: () => ({ lastValidBlockHeight: height + lifetime }),
    searchSignature: async () => ({
      status: null,
      slot: height,
      finalized: { slot: height, height },
      hasHistory: false,
    }),
  } as unknown as Chain;
  const timers = new ManualTimers();
  timers.after = (_ms, call) => {
    call();
    return () => {};
  };
  return searchAgain(chain, timers, { signature: 'one', lastValidBlockHeight: EXPIRY });
}
