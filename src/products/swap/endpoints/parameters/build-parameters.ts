import { feeShare } from './fee-share.ts';
import { formatForError } from '../../../../common/format-for-error.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import { destinationOf } from './destination.ts';
import {
  ACCOUNTS_BOUNDS,
  AMOUNT_BOUNDS,
  BLOCKHASH_SLOTS_BOUNDS,
  DEFAULT_BLOCKHASH_SLOTS,
  DEFAULT_SLIPPAGE_BPS,
  PRICE_LEVELS,
  TIP_BOUNDS,
} from './parameter-bounds.ts';
import {
  INSTRUCTION_VERSIONS,
  type InstructionVersion,
} from '../../../../market/aggregator/instruction-version.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import {
  optionalAddress,
  optionalAmount,
  optionalBoolean,
  optionalBps,
  optionalChoice,
  optionalInteger,
  optionalText,
  type Query,
  requiredAddress,
  requiredAmount,
  requiredPair,
} from './query.ts';
import type { BuildRequest } from '../../../../swaps/build/build.ts';
import { venueChoice } from './venue-parameters.ts';

const FAST_PERCENTILE = bps(9_000);

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseBuildRequest(query: Query, labels: readonly string[]): BuildRequest {
  const { inputMint, outputMint } = requiredPair(query);
  const amount = requiredAmount(query, 'amount', AMOUNT_BOUNDS);
  const taker = requiredAddress(query, 'taker');
  optionalChoice(query, 'swapMode', ['ExactIn']);
  const version = optionalChoice(query, 'instructionVersion', INSTRUCTION_VERSIONS) ?? 'V2';
  const fast = optionalChoice(query, 'mode', ['fast']) === 'fast';
  // Every venue in routes can be bundled, so both values give the same route.
  optionalBoolean(query, 'forJitoBundle');
  return {
    inputMint,
    outputMint,
    amount,
    taker,
    payer: optionalAddress(query, 'payer') ?? taker,
    slippageBps: slippage(query),
    fast,
    venues: venueChoice(query, labels),
    maxAccounts: optionalInteger(query, 'maxAccounts', ACCOUNTS_BOUNDS) ?? MAX_ACCOUNTS,
    platformFee: platformFee(query, version),
    instructionVersion: version,
    wrapAndUnwrapSol: optionalBoolean(query, 'wrapAndUnwrapSol') ?? true,
    destination: destinationOf(
      {
        token: optionalAddress(query, 'destinationTokenAccount'),
        native: optionalAddress(query, 'nativeDestinationAccount'),
      },
      outputMint,
    ),
    blockhashSlotsToExpiry:
      optionalInteger(query, 'blockhashSlotsToExpiry', BLOCKHASH_SLOTS_BOUNDS) ?? DEFAULT_BLOCKHASH_SLOTS,
    // The caller may add instructions of its own.
    chargesRent: false,
    tipAmount: optionalAmount(query, 'tipAmount', TIP_BOUNDS) ?? 0n,
    computeUnitPricePercentile: percentile(query) ?? (fast ? FAST_PERCENTILE : bps(5_000)),
  };
}

function slippage(query: Query): Bps | null {
  if (optionalText(query, 'slippageBps') === 'rtse') return null;
  return optionalBps(query, 'slippageBps') ?? DEFAULT_SLIPPAGE_BPS;
}

function platformFee(query: Query, version: InstructionVersion): BuildRequest['platformFee'] {
  const share = feeShare(query, version);
  const account = optionalAddress(query, 'feeAccount');
  if (share === 0) return undefined;
  if (account === undefined) {
    throw new SwapRefused(
      `feeAccount is missing: platformFeeBps is ${share}, so a token account must collect it`,
    );
  }
  return { bps: share, account };
}

function percentile(query: Query): Bps | undefined {
  const value = optionalText(query, 'computeUnitPricePercentile');
  if (value === undefined) return undefined;
  const named = PRICE_LEVELS.get(value);
  if (named !== undefined) return named;
  if (!/^\d+$/.test(value)) {
    const names = [...PRICE_LEVELS.keys()].join(', ');
    throw new SwapRefused(
      `computeUnitPricePercentile must be ${names} or basis points from 0 to 10000, got ${formatForError(value)}`,
    );
  }
  return optionalBps(query, 'computeUnitPricePercentile');
}
