import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import {
  type FoundAccount,
  readEach,
  type Unreadable,
  type WalletReader,
} from '../../protocol/positions/fetcher.ts';
import type { GenericAsset } from '../../protocol/positions/element.ts';
import { decodeLocker, type Locker, VOTER_PROGRAM, type VoteEscrow } from './layout.ts';
import type { GovernanceStake } from './stake.ts';

/** A vote has as many decimals as JUP. */
const ATOMS_PER_VOTE = 1_000_000;

/** Reads the votes of a stake, which are not a token and have no price. Without any votes, there is no asset. */
export async function readVotingPower(
  wallet: WalletReader,
  { escrow }: GovernanceStake,
): Promise<{ readonly assets: readonly GenericAsset[]; readonly unreadable: readonly Unreadable[] }> {
  const [[account], { unixTimestamp }] = await Promise.all([
    wallet.accounts([escrow.locker]),
    wallet.clock(),
  ]);
  if (account == null) {
    return { assets: [], unreadable: [{ address: escrow.locker, reason: 'the locker does not exist' }] };
  }
  const found: FoundAccount = { address: escrow.locker, account };
  const { positions: assets, unreadable } = readEach([found], ({ account: { owner, data } }) => {
    if (owner !== VOTER_PROGRAM) throw new LayoutInvalid(`the locker belongs to ${owner}`);
    const power = computeVotingPower(escrow, decodeLocker(data), unixTimestamp);
    if (power === 0n) return null;
    return {
      type: 'generic',
      name: 'Voting power',
      amount: Number(power) / ATOMS_PER_VOTE,
      value: null,
      ref: escrow.address,
      sourceRefs: [{ address: escrow.locker, name: 'Locker' }],
    } as const;
  });
  return { assets, unreadable };
}

/**
 * Computes votes like the program's `calculate_voter_power`. A lock with a constant length has all votes. Otherwise
 * votes are proportional to the remaining time, as a part of the maximum duration, rounded down.
 *
 * @param now - Unix seconds.
 * @returns Votes with the decimals of the token.
 */
export function computeVotingPower(
  { amount, startedAt, endsAt, isMaxLock }: Omit<VoteEscrow, 'locker' | 'owner' | 'tokens'>,
  { multiplier, maxDuration }: Omit<Locker, 'mint'>,
  now: bigint,
): bigint {
  const all = amount * BigInt(multiplier);
  if (isMaxLock) return all;
  if (startedAt === 0n || now < startedAt || now >= endsAt || maxDuration === 0n) return 0n;
  const left = endsAt - now;
  return (all * (left < maxDuration ? left : maxDuration)) / maxDuration;
}
