import { feeShare } from '../fees.ts';
import type { Address } from '../../../solana/address.ts';
import { MAX_ACCOUNTS } from '../../../solana/messages/message-accounts.ts';
import { type Bps, bps } from '../../../solana/units.ts';
import {
  optionalBoolean,
  optionalBps,
  optionalChoice,
  optionalInteger,
  type Query,
  requiredAmount,
  requiredPair,
} from '../query.ts';
import { type VenueChoice, venueChoice } from '../build/venue-choice.ts';
import { INSTRUCTION_VERSIONS, type InstructionVersion } from '../build/forms.ts';

/** The interface takes any integer of 64 bits; this is what a number holds exactly. */
const ANY_COUNT = { minimum: 1, maximum: 999_999_999_999_999 };

const SWAP_MODES = ['ExactIn', 'ExactOut'] as const;
export type SwapMode = (typeof SWAP_MODES)[number];

/** What `GET /swap/v1/quote` asks for, every value checked on its own and against the others. */
export interface QuoteRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Of the input mint, or with `ExactOut` of the output mint. */
  readonly amount: bigint;
  readonly swapMode: SwapMode;
  readonly slippageBps: Bps;
  readonly venues: VenueChoice | undefined;
  readonly onlyHubs: boolean;
  readonly onlyDirect: boolean;
  /** A transaction without lookup tables. */
  readonly legacy: boolean;
  readonly platformFeeBps: Bps;
  readonly maxAccounts: number;
  readonly version: InstructionVersion;
}

/** @throws SwapRefused with a sentence about the first parameter that is wrong. */
export function parseQuoteRequest(given: Query, labels: readonly string[]): QuoteRequest {
  const query = withLists(given);
  const { inputMint, outputMint } = requiredPair(query);
  // Neither changes a quote: slippage is estimated for a swap, and every venue here can be bundled.
  optionalBoolean(query, 'dynamicSlippage');
  optionalBoolean(query, 'forJitoBundle');
  const version = optionalChoice(query, 'instructionVersion', INSTRUCTION_VERSIONS) ?? 'V1';
  return {
    inputMint,
    outputMint,
    amount: requiredAmount(query, 'amount'),
    swapMode: optionalChoice(query, 'swapMode', SWAP_MODES) ?? 'ExactIn',
    slippageBps: optionalBps(query, 'slippageBps') ?? bps(50),
    venues: venueChoice(query, labels),
    onlyHubs: optionalBoolean(query, 'restrictIntermediateTokens') ?? true,
    onlyDirect: optionalBoolean(query, 'onlyDirectRoutes') ?? false,
    legacy: optionalBoolean(query, 'asLegacyTransaction') ?? false,
    platformFeeBps: feeShare(query, version),
    // A bound above what a transaction may name is kept by every route.
    maxAccounts: Math.min(optionalInteger(query, 'maxAccounts', ANY_COUNT) ?? MAX_ACCOUNTS, MAX_ACCOUNTS),
    version,
  };
}

/** Lists arrive repeated or separated by commas. */
function withLists(query: Query): Query {
  const joined = (name: string) => {
    const value = query[name];
    return value === undefined || typeof value === 'string' ? {} : { [name]: value.join(',') };
  };
  return { ...query, ...joined('dexes'), ...joined('excludeDexes') };
}
