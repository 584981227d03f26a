import type { Address } from '../../../solana/address.ts';

/** The operator's wallet for the platform fees of orders. */
export interface House {
  /** Fees are paid to its associated token accounts. If it has none for the mint of the fee, no fee is taken. */
  readonly wallet: Address;
}
