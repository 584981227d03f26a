import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';

/** The program that lends tokens out for shares, as orders use it. Its rates are read from the chain without asking it. */
export interface EarnProgram {
  /** Returns what a token can be lent out for; null if it cannot, or the program would refuse every movement now. */
  readonly find: (mint: Address) => OrderEarnMarket | null;
  /** Creates the instruction that lends atoms of the signer out of its associated account. */
  readonly createDeposit: (parties: OrderEarnParties, amount: bigint) => Instruction;
  /** Creates the instruction that redeems all shares of the signer, and pays its associated account. */
  readonly createRedemption: (parties: OrderEarnParties) => Instruction;
}

/** What one token is lent out for. */
export interface OrderEarnMarket {
  /** The mint of the shares. It has the decimals and the token program of the token. */
  readonly earnMint: Address;
  /** Atoms of the token that one atom of the shares is worth, with 12 decimals: at least 1.0, and it only grows. */
  readonly rate: bigint;
}

export interface OrderEarnParties {
  readonly signer: Address;
  /** The token that is lent out. */
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The signer's account of the shares. */
  readonly receiptAccount: Address;
}

/** A rate of 1.0. */
export const RATE_ONE = 1_000_000_000_000n;

/** Converts atoms of the shares to atoms of the token, rounded down, as the program pays them. */
export function toEarnedAtoms(shares: bigint, { rate }: Pick<OrderEarnMarket, 'rate'>): bigint {
  return (shares * rate) / RATE_ONE;
}
