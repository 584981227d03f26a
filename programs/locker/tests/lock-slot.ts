import { LockMode, type VestingTerms } from '../../../src/protocols/jupiter-lock/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { CODE, computeTotal } from './world.ts';

/** What the model knows of an open or cancelled escrow. */
export interface OpenLock {
  readonly terms: VestingTerms;
  readonly creator: Address;
  recipient: Address;
  claimed: bigint;
  cancelledAt: bigint;
}

/** What the model knows of the addresses that belong to a base. */
export interface LockSlot {
  readonly escrow: Address;
  readonly vaultAddress: Address;
  readonly metadataAddress: Address;
  lamports: bigint;
  /** Null if the token account does not exist. */
  vault: { readonly lamports: bigint; atoms: bigint; withheld: bigint } | null;
  metadata: { lamports: bigint; email: string; readonly fixed: number } | null;
  open: OpenLock | null;
}

/** Returns the code by which the program refuses to create an escrow with these terms, or undefined. */
export function findCreateRefusal(
  { open }: LockSlot,
  terms: VestingTerms,
  {
    total,
    gross,
    balance,
  }: { readonly total: bigint; readonly gross: bigint | null; readonly balance: bigint },
): number | undefined {
  if (open !== null) return CODE.AlreadyInUse;
  if (terms.cliffTime < terms.vestingStartTime) return CODE.InvalidVestingStartTime;
  if (terms.updateRecipientMode > LockMode.BOTH) return CODE.InvalidUpdateRecipientMode;
  if (terms.cancelMode > LockMode.BOTH) return CODE.InvalidCancelMode;
  if (terms.frequency === 0n && terms.amountPerPeriod > 0n && terms.periods > 0n) return CODE.FrequencyIsZero;
  if (total > U64_MAX || gross === null) return CODE.MathOverflow;
  return gross > balance ? CODE.InsufficientFunds : undefined;
}

/** Returns the code by which the program refuses a claim, or undefined. */
export function findClaimRefusal({ open, vault }: LockSlot, signer: Address): number | undefined {
  if (open === null) return CODE.WrongOwner;
  if (vault === null) return CODE.NotInitialized;
  if (open.recipient !== signer) return CODE.HasOne;
  return open.cancelledAt > 0n ? CODE.AlreadyCancelled : undefined;
}

/** Returns the code by which the program refuses to cancel an escrow, or undefined. */
export function findCancelRefusal({ open, vault }: LockSlot, signer: Address): number | undefined {
  if (open === null) return CODE.WrongOwner;
  if (vault === null) return CODE.NotInitialized;
  if (open.cancelledAt > 0n) return CODE.AlreadyCancelled;
  return isPermitted(open, open.terms.cancelMode, signer) ? undefined : CODE.NotPermitted;
}

/** Returns the code by which the program refuses to close an escrow, or undefined. */
export function findCloseRefusal({ open }: LockSlot, creator: Address): number | undefined {
  if (open === null) return CODE.WrongOwner;
  if (open.creator !== creator) return CODE.HasOne;
  const isOver = open.cancelledAt > 0n || open.claimed === computeTotal(open.terms);
  return isOver ? undefined : CODE.ClaimingIsNotFinished;
}

/** Returns the code by which the program refuses another recipient, or undefined. */
export function findUpdateRefusal(
  { open, metadata }: LockSlot,
  signer: Address,
  hasText: boolean,
): number | undefined {
  if (open === null) return CODE.WrongOwner;
  if (hasText && metadata === null) return CODE.NotInitialized;
  if (open.cancelledAt > 0n) return CODE.AlreadyCancelled;
  return isPermitted(open, open.terms.updateRecipientMode, signer) ? undefined : CODE.NotPermitted;
}

/** Returns the code by which the program refuses to create metadata, or undefined. */
export function findMetadataRefusal({ open, metadata }: LockSlot, creator: Address): number | undefined {
  if (open === null) return CODE.WrongOwner;
  if (metadata !== null) return CODE.AlreadyInUse;
  return open.creator === creator ? undefined : CODE.HasOne;
}

function isPermitted({ creator, recipient }: OpenLock, mode: number, signer: Address): boolean {
  const asCreator = signer === creator && (mode === LockMode.CREATOR || mode === LockMode.BOTH);
  return asCreator || (signer === recipient && (mode === LockMode.RECIPIENT || mode === LockMode.BOTH));
}
