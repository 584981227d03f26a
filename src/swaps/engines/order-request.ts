import type { FixedAmountMode } from '../swap-mode.ts';
import type { VaultExecution } from '../../solana/programs/smart-account/execute-instruction.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { VenueChoice } from '../build/swap-terms.ts';

/** The request `GET /swap/v2/order`. Each value is checked on its own and against the others. */
export interface OrderRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input for `ExactIn`, of the output for `ExactOut`. */
  readonly amount: bigint;
  /** Only makers that are asked by webhook quote `ExactOut`. */
  readonly swapMode: FixedAmountMode;
  /** The id of the one webhook maker to ask; null asks all. */
  readonly webhookId: string | null;
  /** Null for a price without a transaction. */
  readonly taker: Address | null;
  /** How the taker signs if it is the vault of a multisig; null for a wallet. */
  readonly vault: VaultExecution | null;
  /** Whether SOL is wrapped and unwrapped on the way; otherwise the taker pays and receives wrapped SOL. */
  readonly wrapsSol: boolean;
  /** Another wallet that receives the output. */
  readonly receiver: Address | null;
  /** Null leaves it to the service. */
  readonly slippageBps: Bps | null;
  readonly referral: Referral | null;
  /** Pays fees and rent instead of the taker; always another wallet. */
  readonly payer: Address | null;
  /** Null leaves it to the service. */
  readonly priorityFee: { readonly lamports: bigint; readonly kind: FeeKind } | null;
  readonly tipLamports: bigint;
  readonly excludedRouters: ReadonlySet<string>;
  readonly venues: VenueChoice | undefined;
  /** `manual` if the request sets any option beyond the swap itself. */
  readonly mode: 'ultra' | 'manual';
}

export interface Referral {
  readonly account: Address;
  readonly bps: Bps;
}

/** Whether a requested priority fee is exact or an upper bound. */
export type FeeKind = (typeof FEE_KINDS)[number];

export const FEE_KINDS = ['maxCap', 'exactFee'] as const;
