import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import type { MultipleElement } from '../../protocol/positions/element.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { fetchForWallet, writeAccountData } from '../../testing/protocols/accounts.ts';
import { jupiterGovernance } from './fetcher.ts';
import { JUP_LOCKER, JUP_MINT, VOTER_PROGRAM, deriveVoteEscrowAddress } from './layout.ts';
import { computeVotingPower } from './voting-power.ts';

describe('jupiterGovernance, of voting power', () => {
  it.each([
    ['all votes of a lock at its full length', 5_500n, true, 6.000002],
    ['the part of the votes that is left of a lock that runs out', 5_666n, false, 2.004],
    ['all votes at the beginning of the longest lock', 5_000n, false, 6.000002],
  ])('shows %s, without a price', async (_, now, isMaxLock, amount) => {
    const { assets, unreadable } = await assetsIn(opened(now, isMaxLock));
    expect(unreadable).toEqual([]);
    expect(assets.map(({ type }) => type)).toEqual(['token', 'generic']);
    expect(assets[1]).toMatchObject({ name: 'Voting power', amount, value: null, ref: ESCROW });
  });

  it('shows no votes of a lock that has ended', async () => {
    const { assets } = await assetsIn(opened(6_000n, false));
    expect(assets.map(({ type }) => type)).toEqual(['token']);
  });

  it.each([
    ['is missing', null],
    ['has another form', new Uint8Array(665)],
    ['is cut', locker().subarray(0, 130)],
  ])('shows the stake and reports the locker where it %s', async (_, data) => {
    const view = opened(5_500n, true);
    if (data === null) view.accounts.delete(JUP_LOCKER);
    else view.set(JUP_LOCKER, VOTER_PROGRAM, data);
    const { assets, unreadable } = await assetsIn(view);
    expect(assets.map(({ type }) => type)).toEqual(['token']);
    expect(unreadable?.map(({ address }) => address)).toEqual([JUP_LOCKER]);
  });
});

describe('computeVotingPower', () => {
  it('counts nothing before the lock begins, after it ends, or for a locker without a duration', () => {
    const stake = { amount: 9n, startedAt: 10n, endsAt: 20n, isMaxLock: false };
    const terms = { multiplier: 1, maxDuration: 10n };
    expect([9n, 10n, 15n, 19n, 20n].map((now) => computeVotingPower(stake, terms, now))).toEqual([
      0n,
      9n,
      4n,
      0n,
      0n,
    ]);
    expect(computeVotingPower(stake, { multiplier: 1, maxDuration: 0n }, 15n)).toBe(0n);
    expect(computeVotingPower({ ...stake, startedAt: 0n }, terms, 15n)).toBe(0n);
  });
});

const OWNER: Address = toAddress(new Uint8Array(32).fill(1));
const ESCROW = deriveVoteEscrowAddress(JUP_LOCKER, OWNER);

/** The locker as the program writes it: two votes for a token that is locked for 1,000 seconds. */
function locker(): Uint8Array {
  return writeAccountData(665, '4af60671f9e44ba9', [
    [41, 'address', JUP_MINT],
    [121, 'u8', 2],
    [122, 'u64', 10n],
    [130, 'u64', 1_000n],
    [138, 'u64', 7n],
  ]);
}

/** 3 JUP and an atom, locked from the second 5,000 to the second 6,000. */
function escrow(isMaxLock: boolean): Uint8Array {
  return writeAccountData(322, '1fd57bbbba16da9b', [
    [8, 'address', JUP_LOCKER],
    [40, 'address', OWNER],
    [105, 'u64', 3_000_001n],
    [113, 'i64', 5_000n],
    [121, 'i64', 6_000n],
    [161, 'u8', isMaxLock ? 1 : 0],
  ]);
}

function opened(now: bigint, isMaxLock: boolean): TestView {
  const view = new TestView();
  view.setClock({ epoch: 0n, unixTimestamp: now });
  view.set(ESCROW, VOTER_PROGRAM, escrow(isMaxLock));
  view.set(JUP_LOCKER, VOTER_PROGRAM, locker());
  return view;
}

async function assetsIn(view: TestView) {
  const { elements, unreadable } = await fetchForWallet(jupiterGovernance, view, OWNER);
  return { assets: (elements as readonly MultipleElement[]).flatMap(({ assets }) => assets), unreadable };
}
