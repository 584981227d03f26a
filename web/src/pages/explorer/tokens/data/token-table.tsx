import { Badge } from '../../../../parts/badge.tsx';
import { DataTable, type TableColumn } from '../../../../parts/data-table.tsx';
import { formatWhole } from '../../../../base/format-amount.ts';
import { formatDollars, formatShare } from '../../../../base/format-dollars.ts';
import { formatPrice } from '../../../../base/format-price.ts';
import { TokenLink } from '../../../../parts/token-link.tsx';
import { PRICE_PLACES, type TokenRow } from './token-row.ts';

/** Tokens with links to each of them. */
export function TokenTable({ tokens }: { readonly tokens: readonly TokenRow[] }) {
  return (
    <div className="token-table">
      <DataTable caption="Tokens" columns={COLUMNS} rows={tokens} rowKey={({ mint }) => mint} />
    </div>
  );
}

const COLUMNS: readonly TableColumn<TokenRow>[] = [
  {
    heading: 'Token',
    cell: ({ mint, symbol, name, isVerified }) => (
      <>
        <TokenLink mint={mint} label={symbol} />{' '}
        {name === null ? null : <span className="token-table__name">{name}</span>}{' '}
        {isVerified ? null : <Badge tone="warning">not verified</Badge>}
      </>
    ),
  },
  { heading: 'Price', align: 'end', cell: ({ price }) => formatTokenPrice(price) },
  {
    heading: 'Change in 24 h',
    align: 'end',
    cell: ({ change }) => (change === null ? '–' : formatShare(change * 100n)),
  },
  {
    heading: 'Volume in 24 h',
    align: 'end',
    cell: ({ volume }) => (volume === null ? '–' : formatDollars(volume)),
  },
  {
    heading: 'Liquidity',
    align: 'end',
    cell: ({ liquidity }) => (liquidity === null ? '–' : formatDollars(liquidity)),
  },
  {
    heading: 'Holders',
    align: 'end',
    cell: ({ holders }) => (holders === null ? '–' : formatWhole(holders)),
  },
];

/** Formats the price of a token in dollars. */
export function formatTokenPrice(price: bigint | null): string {
  return price === null ? '–' : `$${formatPrice(price, PRICE_PLACES)}`;
}
