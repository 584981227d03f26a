import { describe, expect, it } from 'vitest';
import { toAddress } from '../../solana/address.ts';
import type { PoolTrade } from './pool-changes.ts';
import { SourceSwitch } from './source-switch.ts';

describe('SourceSwitch', () => {
  it('admits transactions in slots for which no change was reported', () => {
    const sources = new SourceSwitch();
    for (const slot of [100n, 101n, 101n])
      expect(sources.claimForTransaction({ pool: POOL, slot })).toBe(true);
  });

  it('refuses a late transaction whose trade a change has reported', () => {
    const sources = new SourceSwitch();
    expect(sources.claimForChange(change(1_000n, 1_010n))).toBe(true);
    expect(sources.claimForTransaction({ pool: POOL, slot: 1_005n })).toBe(false);
    // The slot of a change may be some slots away from that of its trades.
    expect(sources.claimForTransaction({ pool: POOL, slot: 1_012n })).toBe(false);
    expect(sources.claimForTransaction({ pool: POOL, slot: 1_100n })).toBe(true);
    expect(sources.claimForTransaction({ pool: POOL, slot: 900n })).toBe(true);
  });

  it('refuses a change with a transaction that was reported', () => {
    const sources = new SourceSwitch();
    sources.claimForTransaction({ pool: POOL, slot: 1_000n });
    expect(sources.claimForChange(change(990n, 1_003n))).toBe(false);
    expect(sources.claimForChange(change(1_003n, 1_070n))).toBe(false);
    expect(sources.claimForChange(change(1_070n, 1_080n))).toBe(true);
  });

  it('decides for each pool, and admits every fill of a market maker', () => {
    const sources = new SourceSwitch();
    sources.claimForChange(change(1_000n, 1_010n));
    expect(sources.claimForTransaction({ pool: OTHER, slot: 1_005n })).toBe(true);
    expect(sources.claimForTransaction({ pool: null, slot: 1_005n })).toBe(true);
  });

  it('goes from one source to the other and back', () => {
    const sources = new SourceSwitch();
    expect(sources.claimForTransaction({ pool: POOL, slot: 1_000n })).toBe(true);
    expect(sources.claimForChange(change(1_100n, 1_110n))).toBe(true);
    expect(sources.claimForTransaction({ pool: POOL, slot: 1_105n })).toBe(false);
    expect(sources.claimForTransaction({ pool: POOL, slot: 1_200n })).toBe(true);
    expect(sources.claimForChange(change(1_190n, 1_201n))).toBe(false);
    expect(sources.claimForChange(change(1_300n, 1_310n))).toBe(true);
  });

  it('refuses a transaction that is older than what it remembers', () => {
    const sources = new SourceSwitch();
    for (let at = 1n; at <= 1_100n; at++) sources.claimForChange(change(at * 1_000n, at * 1_000n + 10n));
    expect(sources.claimForTransaction({ pool: POOL, slot: 2_005n })).toBe(false);
  });

  it('remembers a bounded number of spans over all pools, and refuses what it may have forgotten', () => {
    const sources = new SourceSwitch(10);
    for (let at = 1n; at <= 9n; at++) sources.claimForChange(change(at * 1_000n, at * 1_000n + 10n));
    for (let at = 1n; at <= 9n; at++) sources.claimForChange(change(at * 1_000n, at * 1_000n + 10n, OTHER));
    expect(sources.claimForTransaction({ pool: POOL, slot: 1_005n })).toBe(false);
    expect(sources.claimForTransaction({ pool: POOL, slot: 1_500n })).toBe(true);
    for (const slot of [1_005n, 1_500n, 8_005n, 9_005n]) {
      expect(sources.claimForTransaction({ pool: OTHER, slot })).toBe(false);
    }
    expect(sources.claimForTransaction({ pool: OTHER, slot: 9_500n })).toBe(true);
  });
});

const [POOL, OTHER] = [1, 2].map((tag) => toAddress(new Uint8Array(32).fill(tag))) as [never, never];

const change = (from: bigint, slot: bigint, pool = POOL) =>
  ({ from, trade: { pool, slot } }) as unknown as PoolTrade;
