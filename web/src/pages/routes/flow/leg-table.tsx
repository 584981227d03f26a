import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { isMakerLeg, type RouteLeg } from '../quote/route-answer.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { computeLegLoss } from '../quote/swap-costs.ts';
import { formatLegShare } from './describe-route.ts';
import { describeLegFee, describeLoss } from './leg-detail.tsx';
import { TokenAmount } from './token-amount.tsx';

/** The steps of a route as a table: the same as the drawing, in exact amounts. */
export function LegTable({
  legs,
  tokens,
  changed,
}: {
  readonly legs: readonly RouteLeg[];
  readonly tokens: KnownTokens;
  readonly changed: ReadonlySet<number>;
}) {
  return (
    <DataTable
      caption="The steps of the route"
      rows={[...legs.entries()]}
      rowKey={([index]) => index}
      columns={[
        {
          heading: 'Venue',
          cell: ([index, leg]) => (
            <span className="leg-table__venue">
              {leg.venue}
              {isMakerLeg(leg) ? <Badge tone="accent">maker</Badge> : null}
              {changed.has(index) ? <Badge tone="warning">changed</Badge> : null}
            </span>
          ),
        },
        { heading: 'Pool or maker', cell: ([, leg]) => <AddressText address={leg.pool} /> },
        { heading: 'Share', align: 'end', cell: ([, leg]) => formatLegShare(leg) || '–' },
        {
          heading: 'Takes',
          align: 'end',
          cell: ([, leg]) => <TokenAmount raw={leg.inAmount} mint={leg.inputMint} tokens={tokens} />,
        },
        {
          heading: 'Gives',
          align: 'end',
          cell: ([, leg]) => <TokenAmount raw={leg.outAmount} mint={leg.outputMint} tokens={tokens} />,
        },
        { heading: 'Fee', align: 'end', cell: ([, leg]) => describeLegFee(leg, tokens) },
        {
          heading: 'Against the market',
          align: 'end',
          cell: ([, leg]) => describeLoss(computeLegLoss(leg, tokens.findMarket)),
        },
      ]}
    />
  );
}
