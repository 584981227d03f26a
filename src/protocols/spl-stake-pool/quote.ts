import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { divideUp, U64_MAX } from '../../solana/units.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import type { StakePoolFee } from './layout.ts';
import type { SplStakePool } from './pool.ts';
import { WITHDRAWAL_FEE_DIVISOR } from './program.ts';

/**
 * Quotes a deposit of wrapped SOL, or a withdrawal into it, through the wrapper.
 *
 * Returns null if it would be refused: the pool was not updated in this epoch, the amount is worth nothing, or it
 * exceeds what the reserve holds.
 */
export function quoteExactIn(
  pool: SplStakePool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  if (amount <= 0n || amount > U64_MAX || pool.lastUpdateEpoch < clock.epoch) return null;
  if (inputMint === WRAPPED_SOL_MINT) return quoteDeposit(pool, amount);
  return inputMint === pool.mint ? quoteWithdrawal(pool, amount) : null;
}

/**
 * Quotes the least input that pays at least `amount`, with what it pays, because neither program has an exact output.
 */
export function quoteExactOut(
  pool: SplStakePool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  if (amount <= 0n || amount > U64_MAX || !hasPrice(pool)) return null;
  const deposits = inputMint === WRAPPED_SOL_MINT;
  const pays = (input: bigint): bigint =>
    deposits
      ? depositedFor(pool, input).received
      : paidOut(lamportsFor(pool, computeBurntTokens(pool, input)));
  if (pays(U64_MAX) < amount) return null;
  return quoteExactIn(
    pool,
    inputMint,
    least((input) => pays(input) >= amount),
    clock,
  );
}

/** Returns the smallest u64 above 0 from which on the condition holds; it must hold for the largest. */
function least(holds: (value: bigint) => boolean): bigint {
  let [below, from] = [0n, U64_MAX];
  while (from - below > 1n) {
    const middle = (below + from) / 2n;
    if (holds(middle)) from = middle;
    else below = middle;
  }
  return from;
}

function quoteDeposit(pool: SplStakePool, lamports: bigint): Quote | null {
  if (!pool.deposits) return null;
  const { all, user, manager, received } = depositedFor(pool, lamports);
  if (user <= 0n || manager < 0n || (manager > 0n && !pool.managerReceives)) return null;
  if (pool.tokenSupply + all > U64_MAX || pool.totalLamports + lamports > U64_MAX) return null;
  return { inAmount: lamports, outAmount: received, feeAmount: manager, feeMint: pool.mint };
}

/** The new tokens: all of them, the depositor's, the manager's, and what the depositor gets from the wrapper. */
function depositedFor(
  pool: SplStakePool,
  lamports: bigint,
): { readonly all: bigint; readonly user: bigint; readonly manager: bigint; readonly received: bigint } {
  const all = hasPrice(pool) ? (lamports * pool.tokenSupply) / pool.totalLamports : lamports;
  const fee = computeStakePoolFee(pool.depositFee, all);
  const referrer = (fee * BigInt(pool.referralFee)) / 100n;
  const user = all - fee;
  return { all, user, manager: fee - referrer, received: user + referrer };
}

function quoteWithdrawal(pool: SplStakePool, tokens: bigint): Quote | null {
  if (!pool.withdrawals) return null;
  const burnt = computeBurntTokens(pool, tokens);
  const lamports = lamportsFor(pool, burnt);
  const received = paidOut(lamports);
  if (burnt < 0n || received <= 0n || lamports > pool.withdrawable) return null;
  if (burnt > pool.tokenSupply || lamports > pool.totalLamports) return null;
  return {
    inAmount: tokens,
    outAmount: received,
    feeAmount: lamportsFor(pool, tokens) - received,
    feeMint: WRAPPED_SOL_MINT,
  };
}

function computeBurntTokens(pool: SplStakePool, tokens: bigint): bigint {
  return pool.managerReceives ? tokens - computeStakePoolFee(pool.withdrawalFee, tokens) : tokens;
}

function lamportsFor(pool: SplStakePool, tokens: bigint): bigint {
  return pool.tokenSupply === 0n ? 0n : (tokens * pool.totalLamports) / pool.tokenSupply;
}

/** Subtracts the wrapper's fee: a ten-thousandth, rounded down, but at least one lamport. */
function paidOut(lamports: bigint): bigint {
  const share = lamports / WITHDRAWAL_FEE_DIVISOR;
  return lamports - (share > 0n ? share : 1n);
}

/** Rounded up. */
function computeStakePoolFee({ numerator, denominator }: StakePoolFee, amount: bigint): bigint {
  return denominator === 0n ? 0n : divideUp(amount * numerator, denominator);
}

/** An empty pool gives one token per lamport. */
function hasPrice({ totalLamports, tokenSupply }: SplStakePool): boolean {
  return totalLamports !== 0n && tokenSupply !== 0n;
}
