import { formatBriefUnits } from '../../../base/format-brief.ts';
import { formatShare } from '../../../base/format-dollars.ts';
import { isMakerLeg, type RouteAnswer, type RouteLeg } from '../quote/route-answer.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';

/** Formats an amount with its symbol, in some six digits; in smallest units where the decimals are not known. */
export function formatTokenAmount(raw: bigint, mint: string, tokens: KnownTokens): string {
  const { decimals } = tokens.findMarket(mint);
  const symbol = tokens.getSymbol(mint);
  return decimals === null ? `${raw} units of ${symbol}` : `${formatBriefUnits(raw, decimals)} ${symbol}`;
}

/** Describes a route in sentences, for those who do not see the drawing. */
export function describeRoute(answer: RouteAnswer, tokens: KnownTokens): string {
  const format = (raw: bigint, mint: string) => formatTokenAmount(raw, mint, tokens);
  const whole = `${format(answer.inAmount, answer.inputMint)} for ${format(answer.outAmount, answer.outputMint)}`;
  const steps = answer.legs.map((leg) => {
    const who = isMakerLeg(leg) ? `a maker (${leg.venue})` : leg.venue;
    const share =
      leg.bps === null ? '' : `${formatLegShare(leg)} of the ${tokens.getSymbol(leg.inputMint)}: `;
    return `${share}${who} takes ${format(leg.inAmount, leg.inputMint)} and gives ${format(leg.outAmount, leg.outputMint)}`;
  });
  return [whole, ...steps].join('. ');
}

/** Formats the share of its input token that a step takes, by the plan. */
export function formatLegShare({ bps }: Pick<RouteLeg, 'bps'>): string {
  return bps === null || !Number.isInteger(bps) ? '' : formatShare(BigInt(bps) * 100n);
}
