import type { Address } from '../address.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';

/** The length of a stake account. */
export const STAKE_ACCOUNT_SIZE = 200;
/** Where a stake account holds the address that may withdraw from it. */
export const WITHDRAWER_AT = 44;

/** Stake that is, was or will be delegated. */
export interface Delegation {
  /** The vote account of the validator. */
  readonly voter: Address;
  /** Lamports. */
  readonly stake: bigint;
  readonly activationEpoch: bigint;
  /** The largest u64 while the stake is not deactivated. */
  readonly deactivationEpoch: bigint;
}

export interface StakeAccount {
  /** Lamports that are no stake. */
  readonly rentExemptReserve: bigint;
  readonly staker: Address;
  readonly withdrawer: Address;
  /** Until this Unix second and this epoch, nothing can be withdrawn without the custodian. */
  readonly lockup: { readonly unixTimestamp: bigint; readonly epoch: bigint; readonly custodian: Address };
  /** Null for an account that delegates nothing. */
  readonly delegation: Delegation | null;
}

/** The states of the account, a u32 of bincode. */
const INITIALIZED = 1;
const DELEGATED = 2;
/** The runtime has fixed rates since long ago, and ignores what accounts say. */
const WARMUP_RATE = 0.25;

/**
 * Decodes an account of the stake program.
 *
 * @throws LayoutInvalid for an account that is not initialized.
 */
export function decodeStakeAccount(data: Uint8Array): StakeAccount {
  const from = new ByteReader(data, 'stake account');
  const state = from.u32();
  if (state !== INITIALIZED && state !== DELEGATED) from.fail(`its state is ${state}`);
  const meta = {
    rentExemptReserve: from.u64(),
    staker: from.address(),
    withdrawer: from.address(),
    lockup: { unixTimestamp: from.i64(), epoch: from.u64(), custodian: from.address() },
  };
  if (state === INITIALIZED) return { ...meta, delegation: null };
  const delegation = {
    voter: from.address(),
    stake: from.u64(),
    activationEpoch: from.u64(),
    deactivationEpoch: from.u64(),
  };
  return { ...meta, delegation };
}

export function encodeStakeAccount(account: StakeAccount): Uint8Array {
  const { delegation, lockup } = account;
  const to = new ByteWriter(STAKE_ACCOUNT_SIZE).u32(delegation === null ? INITIALIZED : DELEGATED);
  to.u64(account.rentExemptReserve).address(account.staker).address(account.withdrawer);
  to.i64(lockup.unixTimestamp).u64(lockup.epoch).address(lockup.custodian);
  if (delegation !== null) {
    to.address(delegation.voter).u64(delegation.stake).u64(delegation.activationEpoch);
    to.u64(delegation.deactivationEpoch).f64(WARMUP_RATE).u64(0n);
  }
  return to.zeros(STAKE_ACCOUNT_SIZE - to.length).finish();
}
