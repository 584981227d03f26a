import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import {
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { decodeTokenAccount, TOKEN_ACCOUNT_SIZE } from '../../solana/programs/token/account.ts';
import type { AccountReader, PoolState, Unusable } from '../../protocol/venue/venue.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import { PoolUnusable, decodeOrUnusable } from '../../protocol/venue/unusable-pool.ts';
import { deriveStakedexFeeAccount, deriveWithdrawAuthority } from './addresses.ts';
import type { StakePoolAddresses } from './instructions.ts';
import {
  decodeReserve,
  decodeStakePool,
  type StakePoolFee,
  isStakePoolData,
  type StakePoolAccount,
} from './layout.ts';
import { SOL_BRIDGE_OUT, STAKE_POOL_PROGRAM, WSOL_BRIDGE_IN } from './program.ts';

/** A stake pool with everything that a quote needs. `mints` are wrapped SOL and the pool's token. */
export interface SplStakePool extends PoolState, StakePoolAddresses {
  readonly totalLamports: bigint;
  readonly tokenSupply: bigint;
  readonly lastUpdateEpoch: bigint;
  readonly depositFee: StakePoolFee;
  /** Percent of the deposit fee. It goes to the depositor, because the wrapper names itself as the referrer. */
  readonly referralFee: number;
  readonly withdrawalFee: StakePoolFee;
  /** Whether everybody may deposit and the wrapper can do it; the same for withdrawals. */
  readonly deposits: boolean;
  readonly withdrawals: boolean;
  /**
   * Whether the manager's account can receive tokens. If not, withdrawals are free of fees and deposits with fees fail.
   */
  readonly managerReceives: boolean;
  /** The most lamports that can be withdrawn at once. */
  readonly withdrawable: bigint;
}

export function isPool({ owner, data }: Account): boolean {
  return owner === STAKE_POOL_PROGRAM && isStakePoolData(data);
}

/**
 * Returns the reserve, the manager's account, and the wrapper's accounts.
 *
 * @throws LayoutInvalid for a pool that cannot be decoded
 */
export function listStakePoolDependencies(account: Account): readonly Address[] {
  const { reserve, managerFeeAccount, mint } = readStakePoolAccount(account);
  return [reserve, managerFeeAccount, ...wrapperAccounts(mint)];
}

function wrapperAccounts(mint: Address): readonly Address[] {
  const feeAccounts = [mint, WRAPPED_SOL_MINT].map((each) => deriveStakedexFeeAccount(each).address);
  return [SOL_BRIDGE_OUT, WSOL_BRIDGE_IN, ...feeAccounts];
}

/** Returns `Unusable` if every deposit and withdrawal would be refused until an account changes. */
export function decodePoolState(address: Address, read: AccountReader): SplStakePool | Unusable {
  return decodeOrUnusable(() => readPool(address, read));
}

function readPool(address: Address, read: AccountReader): SplStakePool {
  const account = read(address);
  if (account === null || !isPool(account)) throw new PoolUnusable(`${address} is no stake pool`);
  const pool = readStakePoolAccount(account);
  const authority = deriveWithdrawAuthority(address);
  checkPool(pool, authority.bump);
  const deposits = pool.solDepositAuthority === null && wrapperDeposits(pool.mint, read);
  const withdrawals =
    pool.solWithdrawAuthority === null &&
    holdsTokens(read(deriveStakedexFeeAccount(WRAPPED_SOL_MINT).address), WRAPPED_SOL_MINT);
  if (!deposits && !withdrawals) {
    throw new PoolUnusable('its deposits and withdrawals need a signature, or accounts that do not exist');
  }
  return {
    address,
    mints: [WRAPPED_SOL_MINT, pool.mint],
    withdrawAuthority: authority.address,
    validatorList: pool.validatorList,
    reserve: pool.reserve,
    mint: pool.mint,
    managerFeeAccount: pool.managerFeeAccount,
    tokenProgram: pool.tokenProgram,
    totalLamports: pool.totalLamports,
    tokenSupply: pool.tokenSupply,
    lastUpdateEpoch: pool.lastUpdateEpoch,
    depositFee: pool.solDepositFee,
    referralFee: pool.solReferralFee,
    withdrawalFee: pool.solWithdrawalFee,
    deposits,
    withdrawals,
    managerReceives: holdsTokens(read(pool.managerFeeAccount), pool.mint),
    withdrawable: withdrawableFrom(read(pool.reserve), authority.address),
  };
}

function checkPool(pool: StakePoolAccount, bump: number): void {
  // Only the authority with this bump can mint.
  if (pool.withdrawAuthorityBump !== bump) {
    throw new PoolUnusable(`the withdraw authority's bump is ${bump}, not ${pool.withdrawAuthorityBump}`);
  }
  if (pool.tokenProgram !== TOKEN_PROGRAM) {
    throw new PoolUnusable(`its tokens are of ${pool.tokenProgram}, which the wrapper does not deposit for`);
  }
}

/**
 * Whether deposits through the wrapper work: it unwraps into an account of its own, whose rent its wallet pays, and
 * receives the tokens first.
 */
function wrapperDeposits(mint: Address, read: AccountReader): boolean {
  const wallet = read(SOL_BRIDGE_OUT);
  const rent = computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE);
  const canCreate = wallet !== null && wallet.owner === SYSTEM_PROGRAM && wallet.lamports >= rent;
  return (
    canCreate &&
    read(WSOL_BRIDGE_IN) === null &&
    holdsTokens(read(deriveStakedexFeeAccount(mint).address), mint)
  );
}

/** Whether it is an SPL Token account that can receive the mint's tokens. */
function holdsTokens(account: Account | null, mint: Address): boolean {
  if (account === null || account.owner !== TOKEN_PROGRAM) return false;
  const { mint: held, state } = readStakeTokens(account);
  return held === mint && state === 'initialized';
}

function withdrawableFrom(reserve: Account | null, authority: Address): bigint {
  if (reserve === null || reserve.owner !== STAKE_PROGRAM) return 0n;
  const stake = decodeReserve(reserve.data);
  if (stake === null || stake.withdrawer !== authority) return 0n;
  // The stake pool program computes the rent again, while the stake program uses the stored value.
  let kept = computeRentExemptMinimum(reserve.data.length);
  if (stake.rentExemptReserve > kept) kept = stake.rentExemptReserve;
  return reserve.lamports > kept ? reserve.lamports - kept : 0n;
}

const readStakePoolAccount = cachePerAccount(({ data }) => decodeStakePool(data));
const readStakeTokens = cachePerAccount(({ data }) => {
  try {
    const { mint, state } = decodeTokenAccount(data);
    return { mint, state };
  } catch (error) {
    if (error instanceof LayoutInvalid) return { mint: null, state: null };
    throw error;
  }
});
