import type { INSTRUCTION_VERSIONS } from '../../../../market/aggregator/route-plan.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import { bps as toBps } from '../../../../solana/units.ts';
import { type QuoteRequest, quoteSwap, type SwapQuote } from '../../../../swaps/quoted-swaps/quote.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { EXAMPLE_MINTS } from '../../../example-values.ts';
import { flag, list } from '../../../parameters/kinds.ts';
import { defineQuery, optional, type Query } from '../../../parameters/parameter.ts';
import type { SwapServices } from '../../order/swap-services.ts';
import { answerOrRefuse, Refusal } from '../refusal.ts';
import {
  address,
  amount,
  bps,
  checkMintPair,
  DEFAULT_SLIPPAGE_BPS,
  refuseSwap,
  toVenueChoice,
} from '../swap-parameters.ts';
import { answerMissingRoute, NO_THRESHOLD, QuoteResponse, toQuoteResponse } from '../v1/quote.ts';

/** The generation of the swap instruction of these quotes: the older one cannot encode every platform fee. */
export const QUOTED_VERSION: (typeof INSTRUCTION_VERSIONS)[number] = 'V2';

/** The parameters of `GET /swap/v2/quote`. */
const QUOTE_PARAMETERS = defineQuery(
  {
    inputMint: address('Mint of the token to swap.'),
    outputMint: address('Mint of the token to receive.'),
    amount: amount(1n, 'Atoms of the input token, 1 to 2^64 - 1.'),
    slippageBps: optional(
      bps('Allowed shortfall in basis points, 0 to 10000, 50 when absent.', NO_THRESHOLD),
      DEFAULT_SLIPPAGE_BPS,
    ),
    dexes: optional(list('Venue labels to use, separated by commas; not together with `excludeDexes`.')),
    excludeDexes: optional(list('Venue labels to leave out, separated by commas.')),
    platformFeeBps: optional(
      bps('Fee of the integrator, 0 to 10000, from the output; the swap then needs `feeAccount`.'),
    ),
    useIncurredSlippageForQuoting: optional(
      flag(
        'Both values give the same quote: it is what the programs pay, so there is no slippage to correct it by.',
      ),
      false,
    ),
    dynamicSwap: optional(
      flag('Whether the route may split the amount over several pools; true when absent.'),
      true,
    ),
  },
  refuseSwap,
);

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseSeparateQuoteRequest(query: Query, labels: readonly string[]): QuoteRequest {
  const read = QUOTE_PARAMETERS.reader(query);
  const [inputMint, outputMint] = [read('inputMint'), read('outputMint')];
  checkMintPair(inputMint, outputMint);
  read('useIncurredSlippageForQuoting');
  return {
    inputMint,
    outputMint,
    amount: read('amount'),
    swapMode: 'ExactIn',
    slippageBps: read('slippageBps'),
    venues: toVenueChoice(read('dexes') ?? [], read('excludeDexes') ?? [], labels),
    onlyHubs: true,
    onlyDirect: false,
    splits: read('dynamicSwap'),
    legacy: false,
    platformFeeBps: read('platformFeeBps') ?? toBps(0),
    maxAccounts: MAX_ACCOUNTS,
    version: QUOTED_VERSION,
  };
}

export const quoteV2 = defineEndpoint({
  method: 'GET',
  path: '/swap/v2/quote',
  operationId: 'GetQuote',
  example: { query: { inputMint: EXAMPLE_MINTS.sol, outputMint: EXAMPLE_MINTS.usdc, amount: '100000000' } },
  summary: 'Quote, for a separate call that builds its swap',
  description:
    'The best on-chain route for an exact input. Send it back unchanged to `/swap/v2/swap` or `/swap/v2/swap-instructions`.',
  query: QUOTE_PARAMETERS.schema,
  responses: { 200: QuoteResponse, 400: Refusal },
  handle: ({ swap, labels }: SwapServices, { query }) =>
    answerOrRefuse(
      () => toSeparateQuoteResponse(quoteSwap(swap, parseSeparateQuoteRequest(query, labels))),
      answerMissingRoute,
    ),
});

/** Maps a quote to the body of `GET /swap/v2/quote`, which has `platformFee` only where a fee is taken. */
export function toSeparateQuoteResponse(quote: SwapQuote): QuoteResponse {
  const { platformFee, ...response } = toQuoteResponse(quote);
  return platformFee == null ? response : { ...response, platformFee };
}
