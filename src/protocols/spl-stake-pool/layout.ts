import type { AccountFilter } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** A share. It is 0 if either number is 0. */
export interface StakePoolFee {
  readonly denominator: bigint;
  readonly numerator: bigint;
}

/** A fee that replaces another after this many updates in new epochs. */
export interface FutureFee {
  readonly epochs: 1 | 2;
  readonly fee: StakePoolFee;
}

/** A restriction on withdrawing stake. Pools have none. */
export interface Lockup {
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  readonly custodian: Address;
}

/** The pool's account in Borsh. Fields behind the first option have no fixed offset. */
export interface StakePoolAccount {
  readonly manager: Address;
  readonly staker: Address;
  readonly stakeDepositAuthority: Address;
  readonly withdrawAuthorityBump: number;
  readonly validatorList: Address;
  readonly reserve: Address;
  readonly mint: Address;
  readonly managerFeeAccount: Address;
  readonly tokenProgram: Address;
  /** Lamports under management as of the last update, plus deposits and minus withdrawals since. */
  readonly totalLamports: bigint;
  readonly tokenSupply: bigint;
  readonly lastUpdateEpoch: bigint;
  readonly lockup: Lockup;
  /** Share of an epoch's rewards. */
  readonly epochFee: StakePoolFee;
  readonly nextEpochFee: FutureFee | null;
  readonly preferredDepositValidator: Address | null;
  readonly preferredWithdrawValidator: Address | null;
  readonly stakeDepositFee: StakePoolFee;
  readonly stakeWithdrawalFee: StakePoolFee;
  readonly nextStakeWithdrawalFee: FutureFee | null;
  /** Percent of the deposit fee. */
  readonly stakeReferralFee: number;
  /** Must sign deposits of SOL, when there is one. */
  readonly solDepositAuthority: Address | null;
  readonly solDepositFee: StakePoolFee;
  /** Percent of the deposit fee. */
  readonly solReferralFee: number;
  /** Must sign withdrawals of SOL, when there is one. */
  readonly solWithdrawAuthority: Address | null;
  readonly solWithdrawalFee: StakePoolFee;
  readonly nextSolWithdrawalFee: FutureFee | null;
  readonly lastEpochTokenSupply: bigint;
  readonly lastEpochTotalLamports: bigint;
}

/** The length with every option, which the public tools give an account. The program takes longer and shorter ones. */
export const STAKE_POOL_SIZE = 611;
const STAKE_POOL_KIND = 1;
const VALIDATOR_LIST_KIND = 2;

/** The filter by which RPC nodes tell pools from the program's other accounts, which may have any length too. */
export const POOL_FILTER: AccountFilter = {
  memcmp: { offset: 0, bytes: Uint8Array.of(STAKE_POOL_KIND) },
};

/** Whether the bytes are those of a pool that was initialized. */
export function isStakePoolData(data: Uint8Array): boolean {
  return data[0] === STAKE_POOL_KIND;
}

/** @throws LayoutInvalid when the bytes are not a stake pool */
export function decodeStakePool(data: Uint8Array): StakePoolAccount {
  const from = new ByteReader(data, 'stake pool');
  from.expect(Uint8Array.of(STAKE_POOL_KIND), 'account type');
  return {
    manager: from.address(),
    staker: from.address(),
    stakeDepositAuthority: from.address(),
    withdrawAuthorityBump: from.u8(),
    validatorList: from.address(),
    reserve: from.address(),
    mint: from.address(),
    managerFeeAccount: from.address(),
    tokenProgram: from.address(),
    totalLamports: from.u64(),
    tokenSupply: from.u64(),
    lastUpdateEpoch: from.u64(),
    lockup: { unixTimestamp: from.i64(), epoch: from.u64(), custodian: from.address() },
    epochFee: readFee(from),
    nextEpochFee: readFutureFee(from),
    preferredDepositValidator: readOptional(from),
    preferredWithdrawValidator: readOptional(from),
    stakeDepositFee: readFee(from),
    stakeWithdrawalFee: readFee(from),
    nextStakeWithdrawalFee: readFutureFee(from),
    stakeReferralFee: from.u8(),
    solDepositAuthority: readOptional(from),
    solDepositFee: readFee(from),
    solReferralFee: from.u8(),
    solWithdrawAuthority: readOptional(from),
    solWithdrawalFee: readFee(from),
    nextSolWithdrawalFee: readFutureFee(from),
    lastEpochTokenSupply: from.u64(),
    lastEpochTotalLamports: from.u64(),
  };
}

/** Encodes the whole account, with zeros behind the last option. */
export function encodeStakePool(pool: StakePoolAccount): Uint8Array {
  const to = new ByteWriter(STAKE_POOL_SIZE).u8(STAKE_POOL_KIND);
  to.address(pool.manager).address(pool.staker).address(pool.stakeDepositAuthority);
  to.u8(pool.withdrawAuthorityBump).address(pool.validatorList).address(pool.reserve);
  to.address(pool.mint).address(pool.managerFeeAccount).address(pool.tokenProgram);
  to.u64(pool.totalLamports).u64(pool.tokenSupply).u64(pool.lastUpdateEpoch);
  to.i64(pool.lockup.unixTimestamp).u64(pool.lockup.epoch).address(pool.lockup.custodian);
  writeFee(to, pool.epochFee);
  writeFutureFee(to, pool.nextEpochFee);
  writeOptional(to, pool.preferredDepositValidator);
  writeOptional(to, pool.preferredWithdrawValidator);
  writeFee(to, pool.stakeDepositFee);
  writeFee(to, pool.stakeWithdrawalFee);
  writeFutureFee(to, pool.nextStakeWithdrawalFee);
  writeOptional(to.u8(pool.stakeReferralFee), pool.solDepositAuthority);
  writeFee(to, pool.solDepositFee);
  writeOptional(to.u8(pool.solReferralFee), pool.solWithdrawAuthority);
  writeFee(to, pool.solWithdrawalFee);
  writeFutureFee(to, pool.nextSolWithdrawalFee);
  to.u64(pool.lastEpochTokenSupply).u64(pool.lastEpochTotalLamports);
  return to.zeros(STAKE_POOL_SIZE - to.length).finish();
}

/** The stake that a pool has delegated to a validator. */
export interface ValidatorStake {
  readonly activeLamports: bigint;
  readonly transientLamports: bigint;
  readonly lastUpdateEpoch: bigint;
  readonly voteAccount: Address;
}

/** Encodes a list with room for `most` validators that holds the given ones. */
export function encodeValidatorList(validators: readonly ValidatorStake[], most: number): Uint8Array {
  if (validators.length > most) {
    throw new RangeError(`a list for ${most} validators cannot hold ${validators.length}`);
  }
  const to = new ByteWriter(9 + most * 73).u8(VALIDATOR_LIST_KIND).u32(most).u32(validators.length);
  for (const { activeLamports, transientLamports, lastUpdateEpoch, voteAccount } of validators) {
    // Seeds of the stake accounts, a number that is no longer used, and the status Active are all zero.
    to.u64(activeLamports).u64(transientLamports).u64(lastUpdateEpoch).zeros(17).address(voteAccount);
  }
  return to.zeros((most - validators.length) * 73).finish();
}

/** A stake account that delegates nothing, such as a pool's reserve, as far as withdrawals from it depend on it. */
export interface StakePoolReserve {
  readonly rentExemptReserve: bigint;
  readonly withdrawer: Address;
}

const RESERVE_SIZE = 200;
/** The stake account's states, a u32 of bincode: this one delegates nothing. */
const INITIALIZED = 1;

/** Null for any account but an initialized stake account without a lockup. */
export function decodeReserve(data: Uint8Array): StakePoolReserve | null {
  if (data.length < RESERVE_SIZE) return null;
  const from = new ByteReader(data, 'stake account');
  if (from.u32() !== INITIALIZED) return null;
  const rentExemptReserve = from.u64();
  from.address();
  const withdrawer = from.address();
  const locked = from.i64() !== 0n || from.u64() !== 0n;
  return locked ? null : { rentExemptReserve, withdrawer };
}

/** An initialized stake account of one authority, without a lockup. */
export function encodeReserve(authority: Address, rentExemptReserve: bigint): Uint8Array {
  const to = new ByteWriter(RESERVE_SIZE).u32(INITIALIZED).u64(rentExemptReserve);
  to.address(authority).address(authority);
  return to.zeros(RESERVE_SIZE - to.length).finish();
}

function readFee(from: ByteReader): StakePoolFee {
  return { denominator: from.u64(), numerator: from.u64() };
}

function writeFee(to: ByteWriter, { denominator, numerator }: StakePoolFee): void {
  to.u64(denominator).u64(numerator);
}

function readFutureFee(from: ByteReader): FutureFee | null {
  const tag = from.u8();
  if (tag === 0) return null;
  if (tag !== 1 && tag !== 2) return from.fail(`a future fee must begin with 0, 1 or 2, got ${tag}`);
  return { epochs: tag, fee: readFee(from) };
}

function writeFutureFee(to: ByteWriter, future: FutureFee | null): void {
  to.u8(future === null ? 0 : future.epochs);
  if (future !== null) writeFee(to, future.fee);
}

function readOptional(from: ByteReader): Address | null {
  return from.bool() ? from.address() : null;
}

function writeOptional(to: ByteWriter, address: Address | null): void {
  to.bool(address !== null);
  if (address !== null) to.address(address);
}
