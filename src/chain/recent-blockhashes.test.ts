import { describe, expect, it } from 'vitest';
import { addressBytes } from '../solana/address.ts';
import { SYSTEM_PROGRAM } from '../solana/program-addresses.ts';
import type { Commitment } from './chain.ts';
import { finalizedBlockhash, RecentBlockhashes } from './recent-blockhashes.ts';

/** A network that has made 1,000 blocks, and has finalized all but some. */
function networkWith(unfinalized: bigint, lifetime = 150n) {
  const known = new RecentBlockhashes(lifetime);
  const bytes = addressBytes(SYSTEM_PROGRAM);
  for (let height = 1_001n - lifetime; height <= 1_000n; height++) {
    const lastValidBlockHeight = height + lifetime;
    known.add({ blockhash: SYSTEM_PROGRAM, bytes, lastValidBlockHeight, slot: height, fetchedAt: 0 }, height);
  }
  return {
    blockHeight: (commitment: Commitment) => (commitment === 'finalized' ? 1_000n - unfinalized : 1_000n),
    recentBlockhash: (slotsToExpiry = 150) => known.pick(slotsToExpiry, 1_000n),
  };
}

describe('finalizedBlockhash', () => {
  it('returns the newest blockhash that the finalized block knows', () => {
    expect(finalizedBlockhash(networkWith(32n)).slot).toBe(968n);
    expect(finalizedBlockhash(networkWith(0n)).slot).toBe(1_000n);
  });

  it('returns one that can be used for 75 blocks when the network finalizes late', () => {
    expect(finalizedBlockhash(networkWith(120n)).lastValidBlockHeight).toBe(1_075n);
  });
});

describe('RecentBlockhashes of a network whose blockhashes live longer', () => {
  it('returns the blockhash that Solana would, which expires later by the difference', () => {
    const chain = networkWith(32n, 600n);
    expect(finalizedBlockhash(chain).slot).toBe(968n);
    expect(chain.recentBlockhash()).toMatchObject({ slot: 1_000n, lastValidBlockHeight: 1_600n });
    expect(chain.recentBlockhash(130)).toMatchObject({ slot: 980n, lastValidBlockHeight: 1_580n });
  });
});
