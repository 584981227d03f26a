import { TOKENS } from '../../solana/known-tokens.ts';
import type { Address } from '../../solana/address.ts';
import { refuseStudioField } from '../studio-refused.ts';
import { LAUNCH_FIELDS, type LaunchCurvePlan } from './launch-plan.ts';

/** A token that launches can be traded against. */
export interface LaunchQuoteToken {
  readonly mint: Address;
  readonly symbol: string;
  readonly decimals: number;
  /** The whole tokens that a launch must raise, so that the operator's half of the fees pays for its migration. */
  readonly leastRaise: bigint;
}

const LEAST_RAISES: Readonly<Record<string, bigint>> = { USDC: 1_500n, SOL: 10n, JUP: 3_000n };

/** The tokens that launches can be traded against. */
export const LAUNCH_QUOTE_TOKENS: readonly LaunchQuoteToken[] = TOKENS.flatMap(
  ({ mint, symbol, decimals }) => {
    const leastRaise = LEAST_RAISES[symbol];
    return leastRaise === undefined ? [] : [{ mint, symbol, decimals, leastRaise }];
  },
);

/** The most quote tokens that a market capitalisation may be. Beyond it, no curve fits the numbers of the program. */
const MAX_MARKET_CAP = 1e12;

/** @throws StudioRefused if launches are not traded against the token, or it has other decimals */
export function findQuoteToken({
  quoteMint: mint,
  quoteDecimals: decimals,
}: Pick<LaunchCurvePlan, 'quoteMint' | 'quoteDecimals'>): LaunchQuoteToken {
  const found = LAUNCH_QUOTE_TOKENS.find((token) => token.mint === mint);
  const { quoteMint, quoteDecimals } = LAUNCH_FIELDS;
  if (found === undefined) {
    const known = LAUNCH_QUOTE_TOKENS.map((token) => `${token.symbol} (${token.mint})`).join(', ');
    return refuseStudioField(quoteMint, `${quoteMint} must be one of ${known}, got ${mint}`);
  }
  if (found.decimals !== decimals) {
    refuseStudioField(
      quoteDecimals,
      `${quoteDecimals} must be ${found.decimals}, the decimals of ${found.symbol}, got ${decimals}`,
    );
  }
  return found;
}

/**
 * Converts whole quote tokens to atoms.
 *
 * @throws StudioRefused if there are too many of them, or none
 */
export function toQuoteAtoms(whole: number, { decimals }: LaunchQuoteToken, field: string): bigint {
  const atoms = whole <= MAX_MARKET_CAP ? BigInt(whole.toFixed(decimals).replace('.', '')) : 0n;
  if (atoms > 0n) return atoms;
  return refuseStudioField(field, `${field} must be above 0 and at most ${MAX_MARKET_CAP}, got ${whole}`);
}

/** @throws StudioRefused if the curve raises too little */
export function checkRaise(threshold: bigint, { decimals, leastRaise, symbol }: LaunchQuoteToken): void {
  if (threshold >= leastRaise * 10n ** BigInt(decimals)) return;
  const { migrationMarketCap } = LAUNCH_FIELDS;
  const raised = Number(threshold) / 10 ** decimals;
  refuseStudioField(
    migrationMarketCap,
    `${migrationMarketCap} must be higher: the curve would raise ${raised} ${symbol}, and at least ${leastRaise} are needed to pay for its migration`,
  );
}
