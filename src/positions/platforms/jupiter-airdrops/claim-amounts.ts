import type { WalletClock } from '../../fetcher.ts';
import type { ClaimStatus, Distributor } from './layout.ts';

/** What an airdrop still owes to a wallet, in atoms. */
export interface ClaimAmounts {
  /** What a claim pays now. */
  readonly payable: bigint;
  /** What has unlocked, but the program does not pay now. */
  readonly blocked: bigint;
  /** What has not unlocked yet. */
  readonly locked: bigint;
}

/**
 * Computes what the program would pay now. It pays all that has unlocked or nothing: nothing before the activation, if the
 * claims of all wallets would be more than their bound, or if the vault holds less. The three amounts together are never
 * more than that bound and the vault allow, because anybody can promise any wallet an airdrop of any token.
 *
 * @param held - Atoms in the distributor's vault.
 */
export function claimAmounts(
  claim: Pick<ClaimStatus, 'lockedAmount' | 'lockedAmountWithdrawn'>,
  distributor: Distributor,
  clock: WalletClock,
  held: bigint,
): ClaimAmounts {
  const { lockedAmount, lockedAmountWithdrawn } = claim;
  const unlocked = unlockedAmount(lockedAmount, distributor, clock.unixTimestamp);
  // The program refuses to subtract more, so nothing is payable until more has unlocked than was withdrawn.
  const due = unlocked > lockedAmountWithdrawn ? unlocked - lockedAmountWithdrawn : 0n;
  const allowed = smaller(held, larger(distributor.maxTotalClaim - distributor.totalAmountClaimed, 0n));
  const isPaid = isActive(distributor, clock) && due <= allowed;
  const covered = smaller(lockedAmount - lockedAmountWithdrawn, allowed);
  const coveredDue = smaller(due, covered);
  const locked = covered - coveredDue;
  return isPaid ? { payable: due, blocked: 0n, locked } : { payable: 0n, blocked: coveredDue, locked };
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Amounts unlock in proportion to the time, rounded down. */
function unlockedAmount(lockedAmount: bigint, { startsAt, endsAt }: Distributor, now: bigint): bigint {
  if (now < startsAt) return 0n;
  if (now >= endsAt) return lockedAmount;
  return ((now - startsAt) * lockedAmount) / (endsAt - startsAt);
}

function isActive(
  { activationType, activationPoint }: Distributor,
  { slot, unixTimestamp }: WalletClock,
): boolean {
  return activationPoint <= (activationType === 'slot' ? slot : unixTimestamp);
}
