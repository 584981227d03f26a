import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { defineBody, defineField } from '../../../parameters/parameter.ts';
import {
  address,
  defineOptionalAddress,
  refuseSwap,
  resolveDestination,
  defineToggle,
} from '../swap-parameters.ts';
import { bps } from '../../../../solana/units.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import type { SlippageBounds, SwapRequest } from '../../../../swaps/quoted-swaps/swap-request.ts';
import { parsePrioritization } from './prioritization.ts';
import { QuoteResponse } from './quote.ts';
import { parseQuote, parseQuotedFee } from './quoted-terms.ts';

const Bound = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), Type.Null()]));

/** Other fields are ignored, as on the public interface. The last one is listed so that it can be refused. */
const SWAP_FIELDS = defineBody(
  {
    userPublicKey: address('The wallet that swaps and signs.'),
    quoteResponse: defineField(QuoteResponse),
    payer: defineOptionalAddress('Pays fees and rent instead of the user, and signs.'),
    wrapAndUnwrapSol: defineToggle(
      'Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent.',
      true,
    ),
    useSharedAccounts: defineToggle("Swap through the aggregator's own token accounts; false when absent."),
    feeAccount: defineOptionalAddress(
      'Token account, of the input or the output mint, that collects the platform fee.',
    ),
    trackingAccount: defineOptionalAddress(
      'Named by the swap instruction, so that its transactions can be found.',
    ),
    prioritizationFeeLamports: defineField(
      Type.Optional(
        Type.Unknown({
          description:
            'Lamports, `"auto"`, `"disabled"`, or one of `{ "autoMultiplier": times }`, `{ "priorityLevelWithMaxLamports": { "priorityLevel": "medium" | "high" | ' +
            '"veryHigh", "maxLamports", "global"? } }`, `{ "jitoTipLamports": lamports }` and ' +
            '`{ "jitoTipLamportsWithPayer": { "lamports", "payer" } }`.',
        }),
      ),
    ),
    asLegacyTransaction: defineToggle('A transaction without lookup tables; false when absent.'),
    destinationTokenAccount: defineOptionalAddress(
      'Token account of the output mint that receives the output.',
    ),
    nativeDestinationAccount: defineOptionalAddress('Wallet that receives the output as SOL.'),
    dynamicComputeUnitLimit: defineToggle(
      'Measure the compute limit by simulation; otherwise it is 1,400,000.',
    ),
    skipUserAccountsRpcCalls: defineToggle(
      'Look no account up: everything that may be missing is created idempotently.',
    ),
    dynamicSlippage: defineField(
      Type.Optional(
        Type.Union([Type.Boolean(), Type.Object({ minBps: Bound, maxBps: Bound }), Type.Null()], {
          description:
            "Estimate the slippage for this swap and put it in place of the quote's; within bounds, where some are given.",
        }),
      ),
    ),
    computeUnitPriceMicroLamports: defineField(
      Type.Optional(
        Type.Union([Type.Integer(), Type.Literal('auto'), Type.Null()], {
          description: 'Exact price, or `"auto"`; not together with `prioritizationFeeLamports`.',
        }),
      ),
    ),
    blockhashSlotsToExpiry: defineField(
      Type.Optional(
        Type.Union([Type.Integer({ minimum: 1, maximum: 255 }), Type.Null()], {
          description: 'Slots for which the blockhash stays valid.',
        }),
      ),
    ),
    useTokenLedger: defineToggle(
      'Spend what your own instructions pay into the token account, in place of the quoted amount: put ' +
        '`tokenLedgerInstruction` before them. For `swap-instructions` and quotes with `V1` and `ExactIn`.',
    ),
    keyedUiAccounts: defineField(
      Type.Optional(
        Type.Union([Type.Array(Type.Unknown(), { maxItems: 0 }), Type.Null()], {
          description: 'Not available: pools are read from the network alone.',
        }),
      ),
    ),
  },
  refuseSwap,
  { description: 'Unknown fields are ignored.' },
);

export const SwapBody = named('SwapRequest', SWAP_FIELDS.schema);

export type SwapBody = Type.Static<typeof SwapBody>;

/** @throws SwapRefused with a sentence about the first invalid field */
export function parseSwapRequest(body: SwapBody): SwapRequest {
  const read = SWAP_FIELDS.reader(body);
  const taker = read('userPublicKey');
  const quote = parseQuote(body.quoteResponse, 'V1');
  return {
    quote,
    taker,
    payer: read('payer') ?? taker,
    wrapAndUnwrapSol: read('wrapAndUnwrapSol'),
    sharedAccounts: read('useSharedAccounts'),
    spendsArrivals: read('useTokenLedger'),
    platformFee: parseQuotedFee(body.quoteResponse, quote.version, read('feeAccount')),
    trackingAccount: read('trackingAccount') ?? undefined,
    prioritization: parsePrioritization(body),
    legacy: read('asLegacyTransaction'),
    destination: resolveDestination(
      { token: read('destinationTokenAccount'), native: read('nativeDestinationAccount') },
      quote.outputMint,
    ),
    measuresComputeUnits: read('dynamicComputeUnitLimit'),
    skipsLookups: read('skipUserAccountsRpcCalls'),
    estimatedSlippage: slippageBounds(body),
    blockhashSlotsToExpiry: read('blockhashSlotsToExpiry') ?? null,
  };
}

function slippageBounds({ dynamicSlippage: given }: SwapBody): SlippageBounds | null {
  if (given === undefined || given === null || given === false) return null;
  const { minBps, maxBps }: { minBps?: number | null; maxBps?: number | null } = given === true ? {} : given;
  const [min, max] = [minBps ?? 0, maxBps ?? 10_000];
  if (min > max) {
    throw new SwapRefused(
      `dynamicSlippage.minBps must be at most dynamicSlippage.maxBps, got ${min} and ${max}`,
    );
  }
  return { min: bps(min), max: bps(max) };
}
