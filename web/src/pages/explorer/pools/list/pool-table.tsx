import { Link } from '@tanstack/react-router';
import { Badge } from '../../../../parts/badge.tsx';
import type { TableColumn } from '../../../../parts/data-table.tsx';
import { VirtualTable } from '../../../../parts/live/virtual-table.tsx';
import { formatWhole } from '../../../../base/format-amount.ts';
import { escapeInvisible, shortenAddress } from '../../../../base/format-text.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { formatDollarNumber, formatNumber, formatPercent } from '../data/format-price.ts';
import { orientPool, orientPrice } from '../data/orient-pool.ts';
import type { PoolRow } from '../data/pool-shape.ts';

/** Pools with links to each of them. */
export function PoolTable({ pools }: { readonly pools: readonly PoolRow[] }) {
  return <VirtualTable caption="Pools" columns={COLUMNS} rows={pools} rowKey={({ address }) => address} />;
}

const COLUMNS: readonly TableColumn<PoolRow>[] = [
  { heading: 'Pool', cell: (row) => <PoolName row={row} /> },
  { heading: 'Venue', cell: ({ venue }) => venue },
  {
    heading: 'Liquidity',
    align: 'end',
    cell: ({ liquidity }) => (liquidity === null ? '–' : formatDollarNumber(liquidity)),
  },
  { heading: 'Price', align: 'end', cell: (row) => formatPoolPrice(row) },
  { heading: 'Fee', align: 'end', cell: ({ fee }) => (fee === null ? '–' : formatPercent(fee)) },
  { heading: 'Last change', align: 'end', cell: (row) => <LastChange row={row} /> },
];

function PoolName({ row }: { readonly row: PoolRow }) {
  const { address, unusable } = row;
  const oriented = orientPool(row);
  const name =
    oriented === null ? shortenAddress(address) : `${oriented.base.symbol} / ${oriented.quote.symbol}`;
  return (
    <span className="pool-table__name">
      <Link to="/explorer/pool/$address" params={{ address }} preload={false} title={address}>
        {name}
      </Link>
      {unusable === null ? null : (
        <span className="pool-table__reason">
          <Badge tone="warning">not routed over</Badge> {escapeInvisible(unusable)}
        </span>
      )}
    </span>
  );
}

function formatPoolPrice(row: PoolRow): string {
  const oriented = orientPool(row);
  const price = oriented === null ? null : orientPrice(row.price, oriented);
  return oriented === null || price === null ? '–' : `${formatNumber(price)} ${oriented.quote.symbol}`;
}

function LastChange({ row: { change } }: { readonly row: PoolRow }) {
  if (change === null) return '–';
  return (
    <Link
      to="/explorer/block/$slot"
      params={{ slot: change.slot.toString() }}
      preload={false}
      title={formatUtcTime(change.at)}
    >
      slot {formatWhole(change.slot)}
    </Link>
  );
}
