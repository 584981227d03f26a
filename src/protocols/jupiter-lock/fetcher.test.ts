import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import type { MultipleElement } from '../../protocol/positions/element.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { fetchForWallet, writeAccountData } from '../../testing/protocols/accounts.ts';
import { jupiterLock } from './fetcher.ts';
import { LOCK_PROGRAM } from './layout.ts';

describe('jupiterLock', () => {
  it('shows the cliff and what unlocks after it, each with its time in Unix ms', async () => {
    expect(await shown(1_000n, 500n)).toEqual([
      [5n, 1_000_000],
      [7n, 1_500_000],
    ]);
  });

  it('shows a time beyond all dates as a lock without an end, because anyone can create one', async () => {
    expect(await shown(LAST_SECOND, 1n)).toEqual([
      [5n, Number(LAST_SECOND) * 1_000],
      [7n, -1],
    ]);
    expect(await shown((1n << 64n) - 1n, (1n << 64n) - 1n)).toEqual([
      [5n, -1],
      [7n, -1],
    ]);
  });

  it('leaves out amounts that the program never writes', async () => {
    expect(await shown(1_000n, 500n, { periods: (1n << 64n) - 1n })).toEqual([]);
    expect(await shown(1_000n, 500n, { claimed: 13n })).toEqual([]);
    expect(await shown(1_000n, 500n, { claimed: 11n })).toEqual([[1n, 1_500_000]]);
  });
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [OWNER, MINT, ESCROW] = [named(1), named(2), named(3)];
/** The last Unix second that a JavaScript date can represent. */
const LAST_SECOND = 8_640_000_000_000n;

/** An escrow with a cliff of 5 atoms and one further part of 7, as the program writes it. */
async function shown(cliffTime: bigint, frequency: bigint, { periods = 1n, claimed = 0n } = {}) {
  const view = new TestView();
  const data = writeAccountData(296, 'f477b704497487c3', [
    [8, 'address', OWNER],
    [40, 'address', MINT],
    [144, 'u64', cliffTime],
    [152, 'u64', frequency],
    [160, 'u64', 5n],
    [168, 'u64', 7n],
    [176, 'u64', periods],
    [184, 'u64', claimed],
  ]);
  view.set(ESCROW, LOCK_PROGRAM, data);
  const { elements } = await fetchForWallet(jupiterLock, view, OWNER);
  return (elements as readonly MultipleElement[]).flatMap(({ assets }) =>
    assets.map((asset) => [asset.type === 'token' && asset.amount, asset.attributes?.lockedUntil]),
  );
}
