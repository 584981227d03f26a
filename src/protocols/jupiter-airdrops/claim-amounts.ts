import { minimum, maximum } from '../../solana/units.ts';
import type { WalletClock } from '../../protocol/positions/fetcher.ts';
import type { ClaimStatus, Distributor } from './layout.ts';

/** The open amounts of an airdrop for a wallet, in atoms. */
export interface ClaimAmounts {
  /** The amount that a claim pays now. */
  readonly payable: bigint;
  /** The amount that has unlocked, but that the program does not pay now. */
  readonly blocked: bigint;
  /** The amount that has not unlocked yet. */
  readonly locked: bigint;
}

/**
 * Computes the amount that the program would pay now. It pays either everything that has unlocked or nothing: nothing
 * before the activation, if the claims of all wallets would exceed their limit, or if the vault contains less. The sum
 * of the three amounts never exceeds that limit and the vault, because anyone can promise any wallet an airdrop of any
 * token.
 *
 * @param held - The balance of the distributor's vault in atoms.
 */
export function computeClaimAmounts(
  claim: Pick<ClaimStatus, 'lockedAmount' | 'lockedAmountWithdrawn'>,
  distributor: Distributor,
  clock: WalletClock,
  held: bigint,
): ClaimAmounts {
  const { lockedAmount, lockedAmountWithdrawn } = claim;
  const unlocked = unlockedAmount(lockedAmount, distributor, clock.unixTimestamp);
  // The program refuses to subtract more, so nothing is payable until more has unlocked than was withdrawn.
  const due = unlocked > lockedAmountWithdrawn ? unlocked - lockedAmountWithdrawn : 0n;
  const allowed = minimum(held, maximum(distributor.maxTotalClaim - distributor.totalAmountClaimed, 0n));
  const isPaid = isActive(distributor, clock) && due <= allowed;
  const covered = minimum(lockedAmount - lockedAmountWithdrawn, allowed);
  const coveredDue = minimum(due, covered);
  const locked = covered - coveredDue;
  return isPaid ? { payable: due, blocked: 0n, locked } : { payable: 0n, blocked: coveredDue, locked };
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
