import { formatRate } from '../../../base/format-brief.ts';
import { formatShare } from '../../../base/format-dollars.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { isMakerLeg, type RouteLeg } from '../quote/route-answer.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { computeLegLoss } from '../quote/swap-costs.ts';
import { formatTokenAmount } from './describe-route.ts';

/** All that is known of one step. */
export function LegDetail({ leg, tokens }: { readonly leg: RouteLeg | null; readonly tokens: KnownTokens }) {
  if (leg === null) {
    return <p className="leg-detail leg-detail--empty">Point at a step, or press it, to see its pool.</p>;
  }
  const loss = computeLegLoss(leg, tokens.findMarket);
  return (
    <dl className="leg-detail">
      <div>
        <dt>{isMakerLeg(leg) ? 'Maker' : `Pool of ${leg.venue}`}</dt>
        <dd>
          <AddressText address={leg.pool} />
        </dd>
      </div>
      <div>
        <dt>Swaps</dt>
        <dd>
          {formatTokenAmount(leg.inAmount, leg.inputMint, tokens)} →{' '}
          {formatTokenAmount(leg.outAmount, leg.outputMint, tokens)}
        </dd>
      </div>
      <div>
        <dt>Price</dt>
        <dd>{describeLegRate(leg, tokens)}</dd>
      </div>
      <div>
        <dt>{isMakerLeg(leg) ? 'Fee' : 'Pool fee'}</dt>
        <dd>{describeLegFee(leg, tokens)}</dd>
      </div>
      <div>
        <dt>Against the market</dt>
        <dd>{describeLoss(loss)}</dd>
      </div>
    </dl>
  );
}

/** Formats what a step keeps. */
export function describeLegFee({ fee }: RouteLeg, tokens: KnownTokens): string {
  if (fee === null) return 'not stated';
  return fee.amount === 0n ? 'none stated' : formatTokenAmount(fee.amount, fee.mint, tokens);
}

/** Formats how far a step is from the prices of the market, fees included. */
export function describeLoss(loss: bigint | null): string {
  if (loss === null) return 'no market price';
  if (loss === 0n) return 'the same';
  return loss > 0n ? `${formatShare(loss)} less` : `${formatShare(-loss)} more`;
}

function describeLegRate(leg: RouteLeg, tokens: KnownTokens): string {
  const [input, output] = [tokens.findMarket(leg.inputMint), tokens.findMarket(leg.outputMint)];
  if (input.decimals === null || output.decimals === null) return 'decimals are not known';
  const rate = formatRate(
    { raw: leg.inAmount, decimals: input.decimals },
    { raw: leg.outAmount, decimals: output.decimals },
  );
  return rate === null
    ? 'none'
    : `1 ${tokens.getSymbol(leg.inputMint)} = ${rate} ${tokens.getSymbol(leg.outputMint)}`;
}
