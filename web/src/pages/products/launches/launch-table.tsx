import { Link } from '@tanstack/react-router';
import { formatBriefUnits } from '../../../base/format-brief.ts';
import { formatDollars } from '../../../base/format-dollars.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { FilledBar } from '../frame/filled-bar.tsx';
import { StackedRows } from '../frame/stacked-rows.tsx';
import { LAUNCH_PRICE_PLACES, type LaunchView } from './model/parse-launches.ts';

/** Launched tokens with how far their curves are. */
export function LaunchTable({ launches }: { readonly launches: readonly LaunchView[] }) {
  return (
    <StackedRows>
      <DataTable
        caption="Launches"
        rows={launches}
        rowKey={({ mint }) => mint}
        columns={[
          {
            heading: 'Token',
            cell: ({ mint, symbol, name }) => (
              <>
                <Link to="/products/launches" search={{ mint } as never} className="launch-table__title">
                  {symbol}
                </Link>
                <span className="launch-table__note">{name}</span>
                <AddressText address={mint} />
              </>
            ),
          },
          { heading: 'Curve', cell: (launch) => <LaunchProgress launch={launch} /> },
          {
            heading: 'Price',
            align: 'end',
            cell: ({ price }) =>
              price === null ? 'none yet' : `$${formatBriefUnits(price, LAUNCH_PRICE_PLACES)}`,
          },
          {
            heading: 'Market cap',
            align: 'end',
            cell: ({ marketCap }) => (marketCap === null ? 'none yet' : formatDollars(marketCap)),
          },
          { heading: 'Launched', cell: (launch) => <LaunchOrigin launch={launch} /> },
        ]}
      />
    </StackedRows>
  );
}

function LaunchProgress({
  launch: { progress, graduatedPool, graduatedAt },
}: {
  readonly launch: LaunchView;
}) {
  if (graduatedPool !== null) {
    return (
      <>
        <Badge tone="good">graduated</Badge>
        {graduatedAt === null ? null : (
          <span className="launch-table__note">{formatUtcTime(graduatedAt)}</span>
        )}
        <Link to="/explorer/pool/$address" params={{ address: graduatedPool }} preload={false}>
          Its pool
        </Link>
      </>
    );
  }
  return <FilledBar millionths={progress}>raised</FilledBar>;
}

function LaunchOrigin({ launch: { createdAt, creator } }: { readonly launch: LaunchView }) {
  return (
    <>
      {createdAt === null ? 'unknown' : formatUtcTime(createdAt)}
      {creator === null ? null : (
        <span className="launch-table__note">
          by <AddressText address={creator} />
        </span>
      )}
    </>
  );
}
