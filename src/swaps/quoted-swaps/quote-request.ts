import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { VenueChoice } from '../build/swap-terms.ts';

export const SWAP_MODES = ['ExactIn', 'ExactOut'] as const;
export type QuoteSwapMode = (typeof SWAP_MODES)[number];

/** The request `GET /swap/v1/quote`. Each value is checked on its own and against the others. */
export interface QuoteRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input mint, or with `ExactOut` of the output mint. */
  readonly amount: bigint;
  readonly swapMode: QuoteSwapMode;
  readonly slippageBps: Bps;
  readonly venues: VenueChoice | undefined;
  readonly onlyHubs: boolean;
  readonly onlyDirect: boolean;
  /** Whether the transaction must not use lookup tables. */
  readonly legacy: boolean;
  readonly platformFeeBps: Bps;
  readonly maxAccounts: number;
  readonly version: InstructionVersion;
}
