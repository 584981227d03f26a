import { PRICE_ONE, computeShare, toAtoms } from '../lending-base/amounts.ts';
import type { Address } from '../../../solana/address.ts';
import { U64_MAX, minimum } from '../../../solana/units.ts';
import type { LendingPool } from './pool.ts';

/**
 * The price does not depend on the size of the trade. It is that of the last update, without the interest since then.
 * The supply of the receipt token limits the output, and so do the reserve and the withdrawal limit after it has
 * expanded.
 */
export function estimate(pool: LendingPool, inputMint: Address, amount: number): number {
  const { lending, shares } = pool.earn;
  const price = Number(lending.tokenExchangePrice) / Number(PRICE_ONE);
  if (inputMint === pool.mint) return Math.min(amount / price, Number(U64_MAX - shares));
  return Math.min(amount * price, Number(mostWithdrawable(pool)));
}

function mostWithdrawable({ earn: { liquidity } }: LendingPool): bigint {
  const { supply, reserve, held } = liquidity;
  if (supply === null) return 0n;
  const raw =
    supply.withdrawalLimit === 0n ? supply.amount : computeShare(supply.amount, BigInt(supply.expandPercent));
  const allowed = supply.withInterest ? toAtoms(raw, reserve.supplyExchangePrice) : raw;
  return minimum(allowed, held);
}
