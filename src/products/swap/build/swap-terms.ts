import type { Address } from '../../../solana/address.ts';
import type { Bps } from '../../../solana/units.ts';
import type { VenueChoice } from './venue-choice.ts';

/** What decides which route a swap takes and which instructions it is made of. */
export interface SwapTerms {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  readonly taker: Address;
  /** Pays fees and rent. */
  readonly payer: Address;
  /** Looks for a single way only. */
  readonly fast: boolean;
  /** Undefined allows every venue. */
  readonly venues: VenueChoice | undefined;
  /** Pools that take no part; none when absent. */
  readonly avoid?: ReadonlySet<Address>;
  readonly maxAccounts: number;
  readonly platformFee: { readonly bps: Bps; readonly account: Address } | undefined;
  readonly wrapAndUnwrapSol: boolean;
  readonly destination: Destination;
  readonly tipAmount: bigint;
  /** Whether rent that the payer lends to the taker for the time of the swap is given back. */
  readonly returnsRent: boolean;
}

/**
 * Where the output goes: to the taker, into a token account that exists, into the associated token account of another
 * wallet, or unwrapped into a wallet.
 */
export type Destination =
  | { readonly kind: 'taker' }
  | { readonly kind: 'token-account'; readonly address: Address }
  | { readonly kind: 'wallet'; readonly address: Address }
  | { readonly kind: 'native'; readonly address: Address };
