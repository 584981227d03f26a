import { INSTRUCTION_VERSIONS } from '../../../../market/aggregator/route-plan.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import { bps as toBps } from '../../../../solana/units.ts';
import { type QuoteRequest, SWAP_MODES } from '../../../../swaps/quoted-swaps/quote-request.ts';
import { choice, flag, list } from '../../../parameters/kinds.ts';
import { defineQuery, optional, type Query } from '../../../parameters/parameter.ts';
import { checkFeeShare } from '../parameters/fee-share.ts';
import { checkMintPair } from '../parameters/mint-pair.ts';
import {
  address,
  bps,
  DEFAULT_SLIPPAGE_BPS,
  numericAmount,
  refuseSwap,
  wholeNumber,
} from '../parameters/swap-kinds.ts';
import { toVenueChoice } from '../parameters/venue-parameters.ts';

/** With a slippage above 100 % there is no least output. */
const NO_THRESHOLD = 'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD';
/** The public interface accepts any integer of 64 bits; this is what a number holds exactly. */
const ACCOUNTS_BOUNDS = { minimum: 1, maximum: 999_999_999_999_999 };

/** The parameters of `GET /swap/v1/quote`. */
export const QUOTE_PARAMETERS = defineQuery(
  {
    inputMint: address('Mint of the token to swap.'),
    outputMint: address('Mint of the token to receive.'),
    amount: numericAmount(
      1n,
      'Atoms, 1 to 2^64 - 1: of the input token, or with `ExactOut` of the output token.',
    ),
    slippageBps: optional(
      bps(
        'Basis points, 0 to 10000, 50 when absent: of the output, or with `ExactOut` of the input.',
        NO_THRESHOLD,
      ),
      DEFAULT_SLIPPAGE_BPS,
    ),
    swapMode: optional(choice(SWAP_MODES, 'Which amount is fixed; `ExactIn` when absent.'), 'ExactIn'),
    dexes: optional(
      list('Venue labels to use, separated by commas; not together with `excludeDexes`.', 'array'),
    ),
    excludeDexes: optional(list('Venue labels to leave out, separated by commas.', 'array')),
    restrictIntermediateTokens: optional(
      flag('Lead only through the tokens that most others are traded for; true when absent.'),
      true,
    ),
    onlyDirectRoutes: optional(flag('Use a single pool; false when absent.'), false),
    asLegacyTransaction: optional(
      flag('Quote what fits a transaction without lookup tables; false when absent.'),
      false,
    ),
    platformFeeBps: optional(
      bps('Fee of the integrator, 0 to 10000, with `V1` at most 255; the swap then needs `feeAccount`.'),
    ),
    maxAccounts: optional(
      wholeNumber(
        ACCOUNTS_BOUNDS,
        'Most accounts that the swaps in the pools may name, without programs, from 1; 64 when absent.',
      ),
      MAX_ACCOUNTS,
    ),
    instructionVersion: optional(
      choice(INSTRUCTION_VERSIONS, 'Generation of the swap instruction; `V1` when absent.'),
      'V1',
    ),
    dynamicSlippage: optional(flag('Has no effect on a quote; belongs into the swap request.'), false),
    forJitoBundle: optional(flag('Leave out venues that cannot be bundled; every venue here can.'), false),
  },
  refuseSwap,
);

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseQuoteRequest(query: Query, labels: readonly string[]): QuoteRequest {
  const read = QUOTE_PARAMETERS.reader(query);
  const [inputMint, outputMint] = [read('inputMint'), read('outputMint')];
  checkMintPair(inputMint, outputMint);
  // These change nothing: slippage is estimated for a swap, and every venue here can be bundled.
  read('dynamicSlippage');
  read('forJitoBundle');
  const version = read('instructionVersion');
  return {
    inputMint,
    outputMint,
    amount: read('amount'),
    swapMode: read('swapMode'),
    slippageBps: read('slippageBps'),
    venues: toVenueChoice(read('dexes') ?? [], read('excludeDexes') ?? [], labels),
    onlyHubs: read('restrictIntermediateTokens'),
    onlyDirect: read('onlyDirectRoutes'),
    legacy: read('asLegacyTransaction'),
    platformFeeBps: checkFeeShare(read('platformFeeBps') ?? toBps(0), version),
    // Every route keeps a bound that is above what a transaction may name.
    maxAccounts: Math.min(read('maxAccounts'), MAX_ACCOUNTS),
    version,
  };
}
