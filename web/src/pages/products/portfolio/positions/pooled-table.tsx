import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { Dollars, Percentage } from '../../money/money-text.tsx';
import type { PooledPosition } from '../model/position.ts';
import { AssetLine } from './asset-table.tsx';

/** A deposit with the name of the position that it belongs to. */
export interface NamedDeposit extends PooledPosition {
  readonly owner: string | null;
  readonly tags: readonly string[];
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
    <DataTable
      caption={caption}
      columns={[
        {
          heading: 'Pool',
          cell: ({ name, owner, pool, tags }) => (
            <span className="asset-notes">
              {pool === null ? (
                (name ?? owner ?? 'unknown')
              ) : (
                <AddressText address={pool} label={name ?? owner} copy={false} />
              )}
              {tags.map((tag) => (
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
