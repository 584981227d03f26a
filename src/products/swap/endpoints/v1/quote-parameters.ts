import { parseFeeShare } from '../parameters/fee-share.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import {
  parseOptionalBoolean,
  parseOptionalBps,
  parseOptionalChoice,
  parseOptionalInteger,
  type Query,
  parseRequiredAmount,
  parseMintPair,
} from '../parameters/query.ts';
import { AMOUNT_BOUNDS, DEFAULT_SLIPPAGE_BPS, V1_ACCOUNTS_BOUNDS } from '../parameters/parameter-bounds.ts';
import { INSTRUCTION_VERSIONS } from '../../../../market/aggregator/instruction-version.ts';
import { type QuoteRequest, SWAP_MODES } from '../../../../swaps/quoted-swaps/quote-request.ts';
import { parseVenueChoice } from '../parameters/venue-parameters.ts';

/** With a slippage above 100 % there is no least output. */
const NO_THRESHOLD = 'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD';

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseQuoteRequest(query: Query, labels: readonly string[]): QuoteRequest {
  const { inputMint, outputMint } = parseMintPair(query);
  // These change nothing: slippage is estimated for a swap, and every venue here can be bundled.
  parseOptionalBoolean(query, 'dynamicSlippage');
  parseOptionalBoolean(query, 'forJitoBundle');
  const version = parseOptionalChoice(query, 'instructionVersion', INSTRUCTION_VERSIONS) ?? 'V1';
  return {
    inputMint,
    outputMint,
    amount: parseRequiredAmount(query, 'amount', AMOUNT_BOUNDS),
    swapMode: parseOptionalChoice(query, 'swapMode', SWAP_MODES) ?? 'ExactIn',
    slippageBps: parseOptionalBps(query, 'slippageBps', NO_THRESHOLD) ?? DEFAULT_SLIPPAGE_BPS,
    venues: parseVenueChoice(query, labels),
    onlyHubs: parseOptionalBoolean(query, 'restrictIntermediateTokens') ?? true,
    onlyDirect: parseOptionalBoolean(query, 'onlyDirectRoutes') ?? false,
    legacy: parseOptionalBoolean(query, 'asLegacyTransaction') ?? false,
    platformFeeBps: parseFeeShare(query, version),
    // Every route keeps a bound that is above what a transaction may name.
    maxAccounts: Math.min(
      parseOptionalInteger(query, 'maxAccounts', V1_ACCOUNTS_BOUNDS) ?? MAX_ACCOUNTS,
      MAX_ACCOUNTS,
    ),
    version,
  };
}
