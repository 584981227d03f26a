import type { VaultExecution } from '../../solana/programs/smart-account/execute-instruction.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import type { Bps } from '../../solana/units.ts';
import { MAX_ACCOUNTS } from '../../solana/messages/message-accounts.ts';

/** What determines the route of a swap and its instructions. */
export interface SwapTerms {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  readonly taker: Address;
  /** How the taker signs if it is the vault of a multisig, which cannot sign a transaction itself; absent for a wallet. */
  readonly vault?: VaultExecution;
  /** Pays fees and rent. */
  readonly payer: Address;
  /** Whether to search single paths only. */
  readonly fast: boolean;
  /** Undefined allows every venue. */
  readonly venues: VenueChoice | undefined;
  /** Pools to leave out; when absent, none. */
  readonly avoid?: ReadonlySet<Address>;
  /**
   * The maximum number of accounts that the swaps in the pools name, without programs and what the transaction adds.
   */
  readonly maxAccounts: number;
  readonly platformFee: { readonly bps: Bps; readonly account: Address } | undefined;
  readonly wrapAndUnwrapSol: boolean;
  /**
   * Whether other instructions pay the input into the taker's token account, so that no SOL is wrapped for it.
   * Default: no.
   */
  readonly inputArrives?: boolean;
  /** Where the input lies if that is not the taker's associated token account. Default: there, or in the taker's wallet. */
  readonly source?: InputSource;
  readonly destination: SwapDestination;
  readonly tipAmount: bigint;
  /** Whether a fee of the swap pays the payer back for the rent of accounts that stay with the taker. */
  readonly chargesRent: boolean;
  /** What else the transaction does. The route has to leave room for it. Default: nothing. */
  readonly alongside?: AlongsideInstructions;
}

/** Instructions that a transaction has beside those of its swap. */
export interface AlongsideInstructions {
  readonly instructions: readonly Instruction[];
  /** The most instructions that their programs call. */
  readonly calls: number;
}

/**
 * A token account that the input lies in, which no instruction creates and to which nothing is wrapped. Its taker is a key
 * that Sluice keeps for somebody: nothing of the swap stays with the taker, so what is left in accounts between the steps goes
 * to the payer.
 */
export interface InputSource {
  readonly account: Address;
  /** Who receives the rent of the account, which is closed after a swap that empties it; null leaves it open. */
  readonly rentGoesTo: Address | null;
  /**
   * Whether that wallet becomes the owner of the account instead, with what others pay in before the swap lands, which would keep
   * it from being closed. Default: no.
   */
  readonly isHandedOver?: boolean;
  /** Lamports in an account of wrapped SOL that are no tokens yet, and are part of the amount. Default: none. */
  readonly unsynced?: bigint;
}

/** The terms that every swap has to name, and those that differ from the usual ones. */
export type NamedTerms = Pick<SwapTerms, 'inputMint' | 'outputMint' | 'amount' | 'taker'> &
  Partial<SwapTerms>;

/**
 * Creates the terms of a swap. Unless they say otherwise, the taker pays and receives, in SOL that is wrapped and unwrapped
 * for it, over every venue, without a fee of others and without a tip.
 */
export function createSwapTerms(named: NamedTerms): SwapTerms {
  return {
    payer: named.taker,
    fast: false,
    venues: undefined,
    maxAccounts: MAX_ACCOUNTS,
    platformFee: undefined,
    wrapAndUnwrapSol: true,
    destination: { kind: 'taker' },
    tipAmount: 0n,
    chargesRent: false,
    ...named,
  };
}

/**
 * Where the output goes: to the taker, into an existing token account, into one that is the taker's beside the associated one,
 * into the associated token account of another wallet, or unwrapped into a wallet. A wallet of the kind `native` also gets the
 * rent of the account that SOL comes through, and one of the kind `unwrapped` gets the output alone.
 */
export type SwapDestination =
  | { readonly kind: 'taker' }
  | { readonly kind: 'token-account'; readonly address: Address }
  | { readonly kind: 'wallet'; readonly address: Address }
  | { readonly kind: 'native'; readonly address: Address }
  | { readonly kind: 'own-account'; readonly address: Address }
  | { readonly kind: 'unwrapped'; readonly address: Address };

/** Whether another wallet than the taker pays for rent, and nobody pays it back. */
export function lendsRent({
  taker,
  payer,
  chargesRent,
}: Pick<SwapTerms, 'taker' | 'payer' | 'chargesRent'>): boolean {
  return payer !== taker && !chargesRent;
}

/** A choice of venues by label. */
export interface VenueChoice {
  readonly kind: 'only' | 'except';
  readonly labels: ReadonlySet<string>;
}

export function allowsVenue(choice: VenueChoice | undefined, label: string): boolean {
  return choice === undefined || choice.labels.has(label) === (choice.kind === 'only');
}
