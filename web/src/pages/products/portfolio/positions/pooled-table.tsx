import { Link } from '@tanstack/react-router';
import { shortenAddress } from '../../../../base/format-text.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { VirtualTable } from '../../../../parts/live/virtual-table.tsx';
import { Dollars, Percentage } from '../../money/money-text.tsx';
import type { PooledPosition } from '../model/position.ts';
import { AssetLine } from './asset-table.tsx';

/** A deposit with the name of the position that it belongs to. */
export interface NamedDeposit extends PooledPosition {
  readonly owner: string | null;
  readonly tags: readonly string[];
  /** Whether it is in a pool that trades, which has a page of its own. */
  readonly isPool: boolean;
}

/** Deposits in pools and vaults. */
export function PooledTable({
  caption,
  deposits,
}: {
  readonly caption: string;
  readonly deposits: readonly NamedDeposit[];
}) {
  const hasRewards = deposits.some(({ rewards }) => rewards.length > 0);
  return (
    <VirtualTable
      caption={caption}
      columns={[
        {
          heading: 'In',
          cell: (deposit) => (
            <span className="asset-notes">
              <DepositPlace deposit={deposit} />
              {deposit.tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>
          ),
        },
        { heading: 'Holds', cell: ({ assets }) => <AssetLine assets={assets} /> },
        ...(hasRewards
          ? [
              {
                heading: 'Rewards',
                cell: ({ rewards }: NamedDeposit) => <AssetLine assets={rewards} />,
              },
            ]
          : []),
        ...(deposits.some(({ rate }) => rate !== null)
          ? [
              {
                heading: 'Earns a year',
                align: 'end' as const,
                cell: ({ rate }: NamedDeposit) => (rate === null ? '' : <Percentage millionths={rate} />),
              },
            ]
          : []),
        { heading: 'Value', align: 'end', cell: ({ value }) => <Dollars value={value} /> },
      ]}
      rows={deposits}
      rowKey={(_, index) => index}
    />
  );
}

/** Where a deposit is, with a link to the pool or to the account. */
function DepositPlace({ deposit: { name, owner, pool, isPool } }: { readonly deposit: NamedDeposit }) {
  const label = name ?? owner;
  if (pool === null) return label ?? 'unknown';
  if (!isPool) return <AddressText address={pool} label={label} copy={false} />;
  return (
    <Link to="/explorer/pool/$address" params={{ address: pool }} preload={false} title={pool}>
      {label ?? shortenAddress(pool)}
    </Link>
  );
}
