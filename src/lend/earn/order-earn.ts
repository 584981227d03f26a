import type { ChainClock } from '../../chain/chain.ts';
import type { Liquidity } from '../../market/pools/liquidity.ts';
import { deriveReceiptMintAddress } from '../../protocols/jupiter-lend/lending/addresses.ts';
import {
  createEarnInstruction,
  type EarnParties,
} from '../../protocols/jupiter-lend/lending/instructions.ts';
import { computeLendingPricesAt } from '../../protocols/jupiter-lend/lending/token-price.ts';
import { LendingOverflow, PRICE_ONE } from '../../protocols/jupiter-lend/lending-base/amounts.ts';
import { LENDING_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
import type { LendingPool } from '../../protocols/jupiter-lend/venue/pool.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { U64_MAX } from '../../solana/units.ts';

/** What one token can be lent out for now. */
export interface PooledEarnMarket {
  /** The mint of the shares. It has the decimals of the token. */
  readonly earnMint: Address;
  /** Atoms of the token for one atom of the shares, with 12 decimals, as the program computes it in this second. */
  readonly rate: bigint;
}

/** The earn tokens for orders that wait, read from the pools of the market, which every keeper has. */
export class OrderEarn {
  readonly #pools: Pick<Liquidity, 'between'>;
  readonly #clock: () => ChainClock;

  constructor(pools: Pick<Liquidity, 'between'>, clock: () => ChainClock) {
    this.#pools = pools;
    this.#clock = clock;
  }

  /** Returns the earn token of a mint. Null if there is none, or the program would refuse every deposit and redemption now. */
  find(mint: Address): PooledEarnMarket | null {
    const earnMint = deriveReceiptMintAddress(mint);
    const handle = this.#pools
      .between(mint, earnMint)
      .find(({ venue, pool }) => venue.program === LENDING_PROGRAM && isLending(pool, mint));
    if (handle === undefined) return null;
    const rate = computeRate(handle.pool as LendingPool, this.#clock().unixTimestamp);
    return rate === null || rate < PRICE_ONE ? null : { earnMint, rate };
  }

  createDeposit(parties: EarnParties, amount: bigint): Instruction {
    return createEarnInstruction('deposit', parties, amount);
  }

  /** Returns the instruction that redeems all shares, however many there are when it runs. */
  createRedemption(parties: EarnParties): Instruction {
    return createEarnInstruction('redeem', parties, U64_MAX);
  }
}

function isLending(pool: object, mint: Address): pool is LendingPool {
  return 'receiptMint' in pool && 'mint' in pool && pool.mint === mint;
}

function computeRate(
  { earn: { lending, rewards, shares, liquidity } }: LendingPool,
  now: bigint,
): bigint | null {
  try {
    const prices = computeLendingPricesAt({ lending, rewards, shares, reserve: liquidity.reserve }, now);
    return prices?.token ?? null;
  } catch (error) {
    if (error instanceof LendingOverflow) return null;
    throw error;
  }
}
