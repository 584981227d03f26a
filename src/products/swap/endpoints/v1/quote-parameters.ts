import { feeShare } from '../parameters/fee-share.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import {
  optionalBoolean,
  optionalBps,
  optionalChoice,
  optionalInteger,
  type Query,
  requiredAmount,
  requiredPair,
} from '../parameters/query.ts';
import { AMOUNT_BOUNDS, DEFAULT_SLIPPAGE_BPS, V1_ACCOUNTS_BOUNDS } from '../parameters/parameter-bounds.ts';
import { INSTRUCTION_VERSIONS } from '../../../../market/aggregator/instruction-version.ts';
import { type QuoteRequest, SWAP_MODES } from '../../../../swaps/quoted-swaps/quote-request.ts';
import { venueChoice } from '../parameters/venue-parameters.ts';

/** With a slippage above 100 % there is no least output. */
const NO_THRESHOLD = 'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD';

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
