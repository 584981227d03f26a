import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { VirtualTable } from '../../../../parts/live/virtual-table.tsx';
import { formatUnits } from '../../../../base/format-amount.ts';
import { DollarPrice, Dollars } from '../../money/money-text.tsx';
import { TokenLink } from '../../../../parts/token-link.tsx';
import { type LeveragedPosition, PRICE_PLACES } from '../model/position.ts';

/** Positions with borrowed money on a price. */
export function LeverageTable({
  caption,
  positions,
}: {
  readonly caption: string;
  readonly positions: readonly LeveragedPosition[];
}) {
  const price = (value: bigint | null) => <DollarPrice price={value} places={PRICE_PLACES} />;
  return (
    <VirtualTable
      caption={caption}
      columns={[
        {
          heading: 'Market',
          cell: ({ market, label }) => (market === null ? label : <TokenLink mint={market} label={label} />),
        },
        {
          heading: 'Side',
          cell: ({ side, leverage }) => (
            <Badge tone={side === 'long' ? 'good' : side === 'short' ? 'danger' : 'plain'}>
              {side ?? 'unknown'}
              {leverage === null ? '' : ` ${formatUnits(leverage, 6)}×`}
            </Badge>
          ),
        },
        { heading: 'Size', align: 'end', cell: ({ size }) => <Dollars value={size} /> },
        { heading: 'Collateral', align: 'end', cell: ({ collateral }) => <Dollars value={collateral} /> },
        { heading: 'Entry', align: 'end', cell: ({ entryPrice }) => price(entryPrice) },
        { heading: 'Now', align: 'end', cell: ({ markPrice }) => price(markPrice) },
        { heading: 'Liquidated at', align: 'end', cell: ({ liquidationPrice }) => price(liquidationPrice) },
        { heading: 'Profit', align: 'end', cell: ({ profit }) => <Dollars value={profit} /> },
        { heading: 'Value', align: 'end', cell: ({ value }) => <Dollars value={value} /> },
        {
          heading: 'Account',
          cell: ({ account }) => (account === null ? '' : <AddressText address={account} copy={false} />),
        },
      ]}
      rows={positions}
      rowKey={(_, index) => index}
    />
  );
}
