import type { Address } from '../address.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';

/** The length of a stake account. */
export const STAKE_ACCOUNT_SIZE = 200;
/** The offset, in a stake account, of the address that may withdraw from it. */
export const WITHDRAWER_AT = 44;

/** A delegation of stake, which may not be active yet or any more. */
export interface Delegation {
  /** The vote account of the validator that it is delegated to. */
  readonly voter: Address;
  /** Lamports. */
  readonly stake: bigint;
  readonly activationEpoch: bigint;
  /** The largest u64 while the stake is not deactivated. */
  readonly deactivationEpoch: bigint;
}

export interface StakeAccount {
  /** The lamports that pay the rent and are not staked. */
  readonly rentExemptReserve: bigint;
  readonly staker: Address;
  readonly withdrawer: Address;
  /** Before both this Unix second and this epoch have passed, a withdrawal needs the signature of the custodian. */
  readonly lockup: { readonly unixTimestamp: bigint; readonly epoch: bigint; readonly custodian: Address };
  /** Null for an account without a delegation. */
  readonly delegation: Delegation | null;
}

/** The tags of the account's states, a u32 of bincode. */
const INITIALIZED = 1;
const DELEGATED = 2;
/** The runtime has used a fixed rate for years, and ignores the field in accounts. */
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
