import { Type } from 'typebox';
import { formatForError } from '../../../../common/format-for-error.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import type { SwapTip, SwapRequest } from '../../../../swaps/quoted-swaps/swap-request.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import { named } from '../../../named-schema.ts';
import { defineBody, defineField } from '../../../parameters/parameter.ts';
import {
  address,
  BPS_BOUNDS,
  DEFAULT_BLOCKHASH_SLOTS,
  DEFAULT_PRICE_PERCENTILE,
  MAX_BLOCKHASH_SLOTS,
  defineOptionalAddress,
  PRICE_LEVELS,
  readAmount,
  refuseSwap,
  resolveDestination,
  defineToggle,
} from '../swap-parameters.ts';
import { QuoteResponse } from '../v1/quote.ts';
import { parseQuote, parseQuotedFee } from '../v1/quoted-terms.ts';
import { QUOTED_VERSION } from './quote.ts';

/** The least tip, in lamports, that the public interface accepts. */
const MIN_TIP = 1_000_000n;

const SWAP_FIELDS = defineBody(
  {
    quoteResponse: defineField(QuoteResponse),
    taker: address('The wallet that swaps and signs.'),
    payer: defineOptionalAddress('Pays fees and rent instead of the taker, and signs.'),
    feeAccount: defineOptionalAddress(
      'Token account, of the input or the output mint, that collects the platform fee of the quote.',
    ),
    destinationTokenAccount: defineOptionalAddress(
      'Token account of the output mint that receives the output.',
    ),
    nativeDestinationAccount: defineOptionalAddress('Wallet that receives the output as SOL.'),
    wrapAndUnwrapSol: defineToggle(
      'Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent.',
      true,
    ),
    blockhashSlotsToExpiry: defineField(
      Type.Optional(
        Type.Union([Type.Integer({ minimum: 1, maximum: MAX_BLOCKHASH_SLOTS }), Type.Null()], {
          description: `Slots for which the blockhash stays valid, 1 to ${MAX_BLOCKHASH_SLOTS}; ${DEFAULT_BLOCKHASH_SLOTS} when absent.`,
        }),
      ),
    ),
    tipAmount: defineField(
      Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: `Lamports to tip, at least ${MIN_TIP}, paid by the payer; none when absent.`,
        }),
      ),
    ),
    computeUnitPricePercentile: defineField(
      Type.Optional(
        Type.Union(
          [Type.Enum(['medium', 'high', 'veryHigh']), Type.Integer({ ...BPS_BOUNDS }), Type.Null()],
          {
            description:
              'Of recent prices: `medium` (25th), `high` (50th, also when absent), `veryHigh` (75th) or basis points. The fee is at most 0.005 SOL.',
          },
        ),
      ),
    ),
  },
  refuseSwap,
  { description: 'Unknown fields are ignored.' },
);

export const SeparateSwapBody = named('SeparateSwapRequest', SWAP_FIELDS.schema);

export type SeparateSwapBody = Type.Static<typeof SeparateSwapBody>;

/** @throws SwapRefused with a sentence about the first invalid field */
export function parseSeparateSwapRequest(body: SeparateSwapBody): SwapRequest {
  const read = SWAP_FIELDS.reader(body);
  const taker = read('taker');
  const payer = read('payer') ?? taker;
  const quote = parseQuote(body.quoteResponse, QUOTED_VERSION);
  return {
    quote,
    taker,
    payer,
    wrapAndUnwrapSol: read('wrapAndUnwrapSol'),
    sharedAccounts: false,
    spendsArrivals: false,
    platformFee: parseQuotedFee(body.quoteResponse, quote.version, read('feeAccount')),
    trackingAccount: undefined,
    prioritization: {
      fee: { kind: 'percentile', percentile: parsePercentile(read('computeUnitPricePercentile')) },
      tip: parseTip(read('tipAmount')),
    },
    legacy: false,
    destination: resolveDestination(
      { token: read('destinationTokenAccount'), native: read('nativeDestinationAccount') },
      quote.outputMint,
    ),
    measuresComputeUnits: false,
    skipsLookups: false,
    estimatedSlippage: null,
    blockhashSlotsToExpiry: read('blockhashSlotsToExpiry') ?? DEFAULT_BLOCKHASH_SLOTS,
  };
}

/** The gateway accepts only names of levels and whole numbers within the bounds. */
function parsePercentile(given: SeparateSwapBody['computeUnitPricePercentile']): Bps {
  if (given === undefined || given === null) return DEFAULT_PRICE_PERCENTILE;
  return PRICE_LEVELS.get(given) ?? bps(Number(given));
}

function parseTip(given: SeparateSwapBody['tipAmount']): SwapTip | null {
  if (given === undefined || given === null || given === '') return null;
  const lamports = readAmount(given, 'tipAmount', 0n, 'lamports');
  if (lamports < MIN_TIP) {
    throw new SwapRefused(`tipAmount must be at least ${MIN_TIP} lamports, got ${formatForError(given)}`);
  }
  return { lamports, payer: null };
}
