import { describe, expect, it } from 'vitest';
import { toAddressBytes } from '../solana/address.ts';
import { SYSTEM_PROGRAM } from '../solana/program-addresses.ts';
import { ChainUnavailable, type Commitment } from './chain.ts';
import { getFinalizedBlockhash, RecentBlockhashes } from './recent-blockhashes.ts';

describe('getFinalizedBlockhash', () => {
  it('returns the newest blockhash that the finalized block knows', () => {
    expect(getFinalizedBlockhash(networkWith(32n)).slot).toBe(968n);
    expect(getFinalizedBlockhash(networkWith(0n)).slot).toBe(1_000n);
  });

  it('returns one that can be used for 75 blocks when the network finalizes late', () => {
    expect(getFinalizedBlockhash(networkWith(120n)).lastValidBlockHeight).toBe(1_075n);
  });
});

describe('RecentBlockhashes of a network whose blockhashes live longer', () => {
  it('returns the blockhash that Solana would, which expires later by the difference', () => {
    const chain = networkWith(32n, 600n);
    expect(getFinalizedBlockhash(chain).slot).toBe(968n);
    expect(chain.recentBlockhash()).toMatchObject({ slot: 1_000n, lastValidBlockHeight: 1_600n });
    expect(chain.recentBlockhash(130)).toMatchObject({ slot: 980n, lastValidBlockHeight: 1_580n });
  });
});

describe('RecentBlockhashes of a network that leaps ahead', () => {
  it('returns none that has expired, and says that there is none', () => {
    for (const by of [151n, 9_000n]) {
      const chain = leaptBy(by);
      expect(() => getFinalizedBlockhash(chain)).toThrow(ChainUnavailable);
      expect(() => chain.recentBlockhash()).toThrow('has leapt ahead and not reported a blockhash since');
    }
    // Also while the first that arrives is one from before the leap.
    expect(() => leaptBy(9_000n, [1_001n]).recentBlockhash()).toThrow(ChainUnavailable);
  });

  it('returns the newest while it can be used, and one from after the leap as soon as there is one', () => {
    expect(getFinalizedBlockhash(leaptBy(150n)).slot).toBe(1_000n);
    expect(getFinalizedBlockhash(leaptBy(140n)).slot).toBe(1_000n);
    expect(getFinalizedBlockhash(leaptBy(140n, [1_139n])).slot).toBe(1_139n);
    expect(leaptBy(140n, [1_139n]).recentBlockhash(20).slot).toBe(1_000n);
    expect(getFinalizedBlockhash(leaptBy(9_000n, [9_999n, 10_000n])).slot).toBe(9_999n);
  });

  /** Heights 851 to 1,000 have blockhashes; the network then is `by` blocks further, and has reported none since. */
  function leaptBy(by: bigint, since: readonly bigint[] = []) {
    const known = new RecentBlockhashes();
    const bytes = toAddressBytes(SYSTEM_PROGRAM);
    const add = (height: bigint, now: bigint) =>
      known.add(
        { blockhash: SYSTEM_PROGRAM, bytes, lastValidBlockHeight: height + 150n, slot: height, fetchedAt: 0 },
        now,
      );
    for (let height = 851n; height <= 1_000n; height++) add(height, height);
    for (const height of since) add(height, 1_000n + by);
    const processed = 1_000n + by;
    return {
      blockHeight: (commitment: Commitment) => (commitment === 'finalized' ? 968n : processed),
      recentBlockhash: (slotsToExpiry = 150) => known.pick(slotsToExpiry, processed),
    };
  }
});

/** A network that has made 1,000 blocks, and has finalized all but some. */
function networkWith(unfinalized: bigint, lifetime = 150n) {
  const known = new RecentBlockhashes(lifetime);
  const bytes = toAddressBytes(SYSTEM_PROGRAM);
  for (let height = 1_001n - lifetime; height <= 1_000n; height++) {
    const lastValidBlockHeight = height + lifetime;
    known.add({ blockhash: SYSTEM_PROGRAM, bytes, lastValidBlockHeight, slot: height, fetchedAt: 0 }, height);
  }
  return {
    blockHeight: (commitment: Commitment) => (commitment === 'finalized' ? 1_000n - unfinalized : 1_000n),
    recentBlockhash: (slotsToExpiry = 150) => known.pick(slotsToExpiry, 1_000n),
  };
}
