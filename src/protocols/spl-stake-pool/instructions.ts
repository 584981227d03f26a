import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import {
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_CLOCK,
  SYSVAR_STAKE_HISTORY,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import type { SwapParties } from '../../protocol/venue/venue.ts';
import { deriveStakedexFeeAccount } from './addresses.ts';
import type { StakePoolFee } from './layout.ts';
import { SOL_BRIDGE_OUT, STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM, WSOL_BRIDGE_IN } from './program.ts';

/** All accounts of a pool that its instructions name, without those of the user. */
export interface StakePoolAddresses {
  readonly address: Address;
  readonly withdrawAuthority: Address;
  readonly validatorList: Address;
  readonly reserve: Address;
  readonly mint: Address;
  readonly managerFeeAccount: Address;
  readonly tokenProgram: Address;
}

const TAG = {
  initialize: 0,
  updateStakePoolBalance: 7,
  depositSol: 14,
  withdrawSol: 16,
  depositSolWithSlippage: 25,
  withdrawSolWithSlippage: 26,
} as const;
const WRAPPER_TAG = { stakeWrappedSol: 0, withdrawWrappedSol: 8 } as const;

/** The terms of a new pool. Its fees apply to stake and to SOL. */
export interface StakePoolTerms {
  readonly epochFee: StakePoolFee;
  readonly withdrawalFee: StakePoolFee;
  readonly depositFee: StakePoolFee;
  /** Percent of the deposit fee. */
  readonly referralFee: number;
  /** The number of validators for which the list's account has room. */
  readonly maxValidators: number;
}

/**
 * Initializes a pool over existing accounts: an empty one for the pool and one for its list, a reserve, and a mint of
 * its authority. What the reserve holds beyond its rent becomes tokens of the manager, one per lamport.
 */
export function initialize(
  pool: StakePoolAddresses,
  { manager, staker, depositAuthority }: { manager: Address; staker: Address; depositAuthority?: Address },
  terms: StakePoolTerms,
): Instruction {
  const to = new ByteWriter(54).u8(TAG.initialize);
  for (const { denominator, numerator } of [terms.epochFee, terms.withdrawalFee, terms.depositFee]) {
    to.u64(denominator).u64(numerator);
  }
  return {
    programAddress: STAKE_POOL_PROGRAM,
    accounts: [
      writable(pool.address),
      readonlySigner(manager),
      readonly(staker),
      readonly(pool.withdrawAuthority),
      writable(pool.validatorList),
      readonly(pool.reserve),
      writable(pool.mint),
      writable(pool.managerFeeAccount),
      readonly(pool.tokenProgram),
      ...(depositAuthority === undefined ? [] : [readonly(depositAuthority)]),
    ],
    data: to.u8(terms.referralFee).u32(terms.maxValidators).finish(),
  };
}

/** Applies the epoch's rewards, so that the pool's rate is one of this epoch. Everybody may send it. */
export function updateStakePoolBalance(pool: StakePoolAddresses): Instruction {
  return {
    programAddress: STAKE_POOL_PROGRAM,
    accounts: [
      writable(pool.address),
      readonly(pool.withdrawAuthority),
      writable(pool.validatorList),
      readonly(pool.reserve),
      writable(pool.managerFeeAccount),
      writable(pool.mint),
      readonly(pool.tokenProgram),
    ],
    data: Uint8Array.of(TAG.updateStakePoolBalance),
  };
}

/** The accounts that pay and receive in a deposit or withdrawal. */
export interface StakePoolParties {
  /** The signer: the wallet that pays lamports, or that may burn the tokens. */
  readonly authority: Address;
  /** The account of the pool's tokens. */
  readonly tokens: Address;
}

/** Pays lamports out of the authority's wallet; `referrer` gets its share of the fee, `minimum` is in pool tokens. */
export function depositSol(
  pool: StakePoolAddresses,
  { authority, tokens }: StakePoolParties,
  amounts: { readonly lamports: bigint; readonly minimum?: bigint },
  referrer = pool.managerFeeAccount,
): Instruction {
  return {
    programAddress: STAKE_POOL_PROGRAM,
    accounts: [
      writable(pool.address),
      readonly(pool.withdrawAuthority),
      writable(pool.reserve),
      writableSigner(authority),
      writable(tokens),
      writable(pool.managerFeeAccount),
      writable(referrer),
      writable(pool.mint),
      readonly(SYSTEM_PROGRAM),
      readonly(pool.tokenProgram),
    ],
    data: amountData(TAG.depositSol, TAG.depositSolWithSlippage, amounts.lamports, amounts.minimum),
  };
}

/** Burns pool tokens and pays lamports of the reserve to `destination`; `minimum` is in lamports. */
export function withdrawSol(
  pool: StakePoolAddresses,
  { authority, tokens }: StakePoolParties,
  destination: Address,
  amounts: { readonly tokens: bigint; readonly minimum?: bigint },
): Instruction {
  return {
    programAddress: STAKE_POOL_PROGRAM,
    accounts: [
      writable(pool.address),
      readonly(pool.withdrawAuthority),
      readonlySigner(authority),
      writable(tokens),
      writable(pool.reserve),
      writable(destination),
      writable(pool.managerFeeAccount),
      writable(pool.mint),
      readonly(SYSVAR_CLOCK),
      readonly(SYSVAR_STAKE_HISTORY),
      readonly(STAKE_PROGRAM),
      readonly(pool.tokenProgram),
    ],
    data: amountData(TAG.withdrawSol, TAG.withdrawSolWithSlippage, amounts.tokens, amounts.minimum),
  };
}

/** Deposits wrapped SOL through the wrapper. */
export function stakeWrappedSol(pool: StakePoolAddresses, user: SwapParties, amount: bigint): Instruction {
  return {
    programAddress: STAKEDEX_PROGRAM,
    accounts: listStakeWrappedSolAccounts(pool, readonlySigner(user.authority), user),
    data: new ByteWriter(9).u8(WRAPPER_TAG.stakeWrappedSol).u64(amount).finish(),
  };
}

/** Withdraws into wrapped SOL through the wrapper. */
export function withdrawWrappedSol(pool: StakePoolAddresses, user: SwapParties, amount: bigint): Instruction {
  return {
    programAddress: STAKEDEX_PROGRAM,
    accounts: listWithdrawWrappedSolAccounts(pool, readonlySigner(user.authority), user),
    data: new ByteWriter(9).u8(WRAPPER_TAG.withdrawWrappedSol).u64(amount).finish(),
  };
}

/** The wrapper's own ten accounts, then those of the deposit. */
export function listStakeWrappedSolAccounts(
  pool: StakePoolAddresses,
  authority: AccountMeta,
  { source, destination }: SwapParties,
): AccountMeta[] {
  return [
    authority,
    writable(source),
    writable(destination),
    writable(WSOL_BRIDGE_IN),
    writable(SOL_BRIDGE_OUT),
    writable(deriveStakedexFeeAccount(pool.mint).address),
    writable(pool.mint),
    readonly(WRAPPED_SOL_MINT),
    readonly(TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
    readonly(STAKE_POOL_PROGRAM),
    writable(pool.address),
    readonly(pool.withdrawAuthority),
    writable(pool.reserve),
    writable(pool.managerFeeAccount),
  ];
}

/** The wrapper's own seven accounts, then those of the withdrawal. */
export function listWithdrawWrappedSolAccounts(
  pool: StakePoolAddresses,
  authority: AccountMeta,
  { source, destination }: SwapParties,
): AccountMeta[] {
  return [
    authority,
    writable(source),
    writable(destination),
    writable(deriveStakedexFeeAccount(WRAPPED_SOL_MINT).address),
    writable(pool.mint),
    readonly(WRAPPED_SOL_MINT),
    readonly(TOKEN_PROGRAM),
    readonly(STAKE_POOL_PROGRAM),
    writable(pool.address),
    readonly(pool.withdrawAuthority),
    writable(pool.reserve),
    writable(pool.managerFeeAccount),
    readonly(SYSVAR_CLOCK),
    readonly(SYSVAR_STAKE_HISTORY),
    readonly(STAKE_PROGRAM),
    readonly(pool.tokenProgram),
  ];
}

function amountData(plain: number, limited: number, amount: bigint, minimum: bigint | undefined): Uint8Array {
  if (minimum === undefined) return new ByteWriter(9).u8(plain).u64(amount).finish();
  return new ByteWriter(17).u8(limited).u64(amount).u64(minimum).finish();
}
