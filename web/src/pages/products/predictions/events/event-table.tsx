import { Link } from '@tanstack/react-router';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { Badge } from '../../../../parts/badge.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { formatChance, formatOptionalDollars } from '../model/format-contracts.ts';
import type { EventView } from '../model/parse-events.ts';

/** Markets of an event that its row shows. Its page has all of them. */
const SHOWN_MARKETS = 3;

/** Events with the chances of their first markets. */
export function EventTable({ events }: { readonly events: readonly EventView[] }) {
  return (
    <StackedRows>
      <DataTable
        caption="Events"
        rows={events}
        rowKey={({ id }) => id}
        columns={[
          { heading: 'Event', cell: (event) => <EventTitle event={event} /> },
          { heading: 'Markets', cell: (event) => <FirstMarkets event={event} /> },
          {
            heading: 'Traded',
            align: 'end',
            cell: ({ volume }) => (
              <span title="In all, at the price of each trade.">{formatOptionalDollars(volume)}</span>
            ),
          },
          {
            heading: 'Closes',
            align: 'end',
            cell: ({ closesAt }) => (closesAt === null ? '' : formatUtcTime(closesAt)),
          },
        ]}
      />
    </StackedRows>
  );
}

function EventTitle({
  event: { id, title, subtitle, category, isLive, isActive, score },
}: {
  readonly event: EventView;
}) {
  return (
    <>
      <Link to="/products/predictions" search={{ event: id } as never} className="event-table__title">
        {title}
      </Link>
      <span className="event-table__note">
        {subtitle} {category === '' ? null : <Badge>{category}</Badge>}{' '}
        {isLive ? <Badge tone="good">live</Badge> : null}{' '}
        {isActive ? null : <Badge tone="warning">closed</Badge>}
      </span>
      {score === null ? null : <span className="event-table__note">{score}</span>}
    </>
  );
}

function FirstMarkets({ event: { markets } }: { readonly event: EventView }) {
  const left = markets.length - SHOWN_MARKETS;
  return (
    <ul className="event-table__markets">
      {markets.slice(0, SHOWN_MARKETS).map(({ id, title, buyYes, result }) => (
        <li key={id}>
          {title}:{' '}
          {result !== null
            ? `ended with ${result}`
            : buyYes === null
              ? 'nothing is offered'
              : formatChance(buyYes)}
        </li>
      ))}
      {left > 0 ? <li>and {left} more</li> : null}
    </ul>
  );
}
