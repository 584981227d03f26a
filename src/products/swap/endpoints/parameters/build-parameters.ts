import { parseFeeShare } from './fee-share.ts';
import { formatForError } from '../../../../common/format-for-error.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import { resolveDestination } from './destination.ts';
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
  parseOptionalAddress,
  parseOptionalAmount,
  parseOptionalBoolean,
  parseOptionalBps,
  parseOptionalChoice,
  parseOptionalInteger,
  getOptionalText,
  type Query,
  parseRequiredAddress,
  parseRequiredAmount,
  parseMintPair,
} from './query.ts';
import type { BuildRequest } from '../../../../swaps/build/build.ts';
import { parseVenueChoice } from './venue-parameters.ts';

const FAST_PERCENTILE = bps(9_000);

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseBuildRequest(query: Query, labels: readonly string[]): BuildRequest {
  const { inputMint, outputMint } = parseMintPair(query);
  const amount = parseRequiredAmount(query, 'amount', AMOUNT_BOUNDS);
  const taker = parseRequiredAddress(query, 'taker');
  parseOptionalChoice(query, 'swapMode', ['ExactIn']);
  const version = parseOptionalChoice(query, 'instructionVersion', INSTRUCTION_VERSIONS) ?? 'V2';
  const fast = parseOptionalChoice(query, 'mode', ['fast']) === 'fast';
  // Every venue in routes can be bundled, so both values give the same route.
  parseOptionalBoolean(query, 'forJitoBundle');
  return {
    inputMint,
    outputMint,
    amount,
    taker,
    payer: parseOptionalAddress(query, 'payer') ?? taker,
    slippageBps: slippage(query),
    fast,
    venues: parseVenueChoice(query, labels),
    maxAccounts: parseOptionalInteger(query, 'maxAccounts', ACCOUNTS_BOUNDS) ?? MAX_ACCOUNTS,
    platformFee: parseBuildFee(query, version),
    instructionVersion: version,
    wrapAndUnwrapSol: parseOptionalBoolean(query, 'wrapAndUnwrapSol') ?? true,
    destination: resolveDestination(
      {
        token: parseOptionalAddress(query, 'destinationTokenAccount'),
        native: parseOptionalAddress(query, 'nativeDestinationAccount'),
      },
      outputMint,
    ),
    blockhashSlotsToExpiry:
      parseOptionalInteger(query, 'blockhashSlotsToExpiry', BLOCKHASH_SLOTS_BOUNDS) ??
      DEFAULT_BLOCKHASH_SLOTS,
    // The caller may add instructions of its own.
    chargesRent: false,
    tipAmount: parseOptionalAmount(query, 'tipAmount', TIP_BOUNDS) ?? 0n,
    computeUnitPricePercentile: percentile(query) ?? (fast ? FAST_PERCENTILE : bps(5_000)),
  };
}

function slippage(query: Query): Bps | null {
  if (getOptionalText(query, 'slippageBps') === 'rtse') return null;
  return parseOptionalBps(query, 'slippageBps') ?? DEFAULT_SLIPPAGE_BPS;
}

function parseBuildFee(query: Query, version: InstructionVersion): BuildRequest['platformFee'] {
  const share = parseFeeShare(query, version);
  const account = parseOptionalAddress(query, 'feeAccount');
  if (share === 0) return undefined;
  if (account === undefined) {
    throw new SwapRefused(
      `feeAccount is missing: platformFeeBps is ${share}, so a token account must collect it`,
    );
  }
  return { bps: share, account };
}

function percentile(query: Query): Bps | undefined {
  const value = getOptionalText(query, 'computeUnitPricePercentile');
  if (value === undefined) return undefined;
  const named = PRICE_LEVELS.get(value);
  if (named !== undefined) return named;
  if (!/^\d+$/.test(value)) {
    const names = [...PRICE_LEVELS.keys()].join(', ');
    throw new SwapRefused(
      `computeUnitPricePercentile must be ${names} or basis points from 0 to 10000, got ${formatForError(value)}`,
    );
  }
  return parseOptionalBps(query, 'computeUnitPricePercentile');
}
