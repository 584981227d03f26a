import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { StakePoolFee } from './layout.ts';
import type { SplStakePool } from './pool.ts';
import { WITHDRAWAL_FEE_DIVISOR } from './program.ts';

const U64 = 2 ** 64;
const KEPT_BY_WRAPPER = 1 - 1 / Number(WITHDRAWAL_FEE_DIVISOR);

/** The rate does not depend on the size of the trade. The reserve, or the range of the supply, limits the output. */
export function estimate(pool: SplStakePool, inputMint: Address, amount: number): number {
  const tokensPerLamport =
    pool.totalLamports === 0n || pool.tokenSupply === 0n
      ? 1
      : Number(pool.tokenSupply) / Number(pool.totalLamports);
  if (inputMint === WRAPPED_SOL_MINT) {
    if (!pool.deposits) return 0;
    const kept = 1 - toFeeShare(pool.depositFee) * (1 - pool.referralFee / 100);
    return Math.max(0, Math.min(amount * tokensPerLamport * kept, U64 - Number(pool.tokenSupply)));
  }
  if (!pool.withdrawals) return 0;
  const kept = pool.managerReceives ? 1 - toFeeShare(pool.withdrawalFee) : 1;
  const paid = Math.min((amount * kept) / tokensPerLamport, Number(pool.withdrawable)) * KEPT_BY_WRAPPER;
  return Math.max(0, paid);
}

function toFeeShare({ numerator, denominator }: StakePoolFee): number {
  return denominator === 0n ? 0 : Number(numerator) / Number(denominator);
}
