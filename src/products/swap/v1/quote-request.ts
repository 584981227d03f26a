import { feeShare } from '../fees/platform-fee.ts';
import type { Address } from '../../../solana/address.ts';
import { MAX_ACCOUNTS } from '../../../solana/messages/message-accounts.ts';
import type { Bps } from '../../../solana/units.ts';
import {
  optionalBoolean,
  optionalBps,
  optionalChoice,
  optionalInteger,
  type Query,
  requiredAmount,
  requiredPair,
} from '../request/query.ts';
import {
  AMOUNT_BOUNDS,
  DEFAULT_SLIPPAGE_BPS,
  INSTRUCTION_VERSIONS,
  type InstructionVersion,
  V1_ACCOUNTS_BOUNDS,
} from '../request/parameter-bounds.ts';
import { type VenueChoice, venueChoice } from '../build/venue-choice.ts';

/** With a slippage above 100 % there is no least output. */
const NO_THRESHOLD = 'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD';
const SWAP_MODES = ['ExactIn', 'ExactOut'] as const;
export type SwapMode = (typeof SWAP_MODES)[number];

/** The request `GET /swap/v1/quote`. Each value is checked on its own and against the others. */
export interface QuoteRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input mint, or with `ExactOut` of the output mint. */
  readonly amount: bigint;
  readonly swapMode: SwapMode;
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

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseQuoteRequest(query: Query, labels: readonly string[]): QuoteRequest {
  const { inputMint, outputMint } = requiredPair(query);
  // These change nothing: slippage is estimated for a swap, and every venue here can be bundled.
  optionalBoolean(query, 'dynamicSlippage');
  optionalBoolean(query, 'forJitoBundle');
  const version = optionalChoice(query, 'instructionVersion', INSTRUCTION_VERSIONS) ?? 'V1';
  return {
    inputMint,
    outputMint,
    amount: requiredAmount(query, 'amount', AMOUNT_BOUNDS),
    swapMode: optionalChoice(query, 'swapMode', SWAP_MODES) ?? 'ExactIn',
    slippageBps: optionalBps(query, 'slippageBps', NO_THRESHOLD) ?? DEFAULT_SLIPPAGE_BPS,
    venues: venueChoice(query, labels),
    onlyHubs: optionalBoolean(query, 'restrictIntermediateTokens') ?? true,
    onlyDirect: optionalBoolean(query, 'onlyDirectRoutes') ?? false,
    legacy: optionalBoolean(query, 'asLegacyTransaction') ?? false,
    platformFeeBps: feeShare(query, version),
    // Every route keeps a bound that is above what a transaction may name.
    maxAccounts: Math.min(
      optionalInteger(query, 'maxAccounts', V1_ACCOUNTS_BOUNDS) ?? MAX_ACCOUNTS,
      MAX_ACCOUNTS,
    ),
    version,
  };
}
