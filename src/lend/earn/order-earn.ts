import type { ChainClock } from '../../chain/chain.ts';
import type { Liquidity } from '../../market/pools/liquidity.ts';
import { computeShareRate, isPoolOfShares } from '../../protocols/jupiter-lend/share-pools.ts';
import { deriveReceiptMintAddress } from '../../protocols/jupiter-lend/lending/addresses.ts';
import {
  createEarnInstruction,
  type EarnParties,
} from '../../protocols/jupiter-lend/lending/instructions.ts';
import { PRICE_ONE } from '../../protocols/jupiter-lend/lending-base/amounts.ts';
import { LENDING_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
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
      .find(({ venue, pool }) => venue.program === LENDING_PROGRAM && isPoolOfShares(pool, mint));
    if (handle === undefined) return null;
    const rate = computeShareRate(handle.pool, this.#clock().unixTimestamp);
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
