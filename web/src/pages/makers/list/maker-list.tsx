import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { callAdmin } from '../../../api/admin.ts';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { formatDollars } from '../../../base/format-dollars.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { CreateMaker } from '../actions/create-maker.tsx';
import { type OperatorMakerLine, type OperatorMakerView, readMakerList } from '../source/maker-shapes.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { createOperatorSource } from '../source/maker-source.ts';
import { formatCountShare } from '../text/format-share.ts';
import { MakerStatusBadge } from '../text/maker-status.tsx';
import { describeBreaker, describeSeen } from './maker-line.ts';

const REFRESH_MS = 5_000;
const DETAIL_MS = 15_000;
/** Makers whose numbers are read, one call for each. */
const MAX_DETAILED = 40;
const MAX_NAME = 64;

interface Row {
  readonly line: OperatorMakerLine;
  readonly view: OperatorMakerView | null;
}

/** All makers, for the operator. */
export function MakerList() {
  const generation = useCredentialGeneration();
  const { data, error, refetch } = useQuery({
    queryKey: ['makers', 'list', generation],
    queryFn: async () => readAnswer('the makers', readMakerList, await callAdmin('/admin/v1/makers')),
    refetchInterval: REFRESH_MS,
  });
  const makers = useMemo(() => data?.makers ?? [], [data]);
  const views = useQueries({
    queries: makers.slice(0, MAX_DETAILED).map(({ id }) => {
      const source = createOperatorSource(id);
      return {
        queryKey: ['makers', source.scope, generation, 'status'],
        queryFn: source.readStatus,
        refetchInterval: DETAIL_MS,
      };
    }),
  });
  if (data === undefined)
    return error === null ? (
      <Loading what="makers" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const rows = makers.map((line, index) => ({ line, view: views[index]?.data?.value.operator ?? null }));
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <CreateMaker />
      <Panel>
        {rows.length === 0 ? (
          <EmptyNote>
            <p>
              No maker is registered. Register one here, or with <code>sluice maker add</code>.
            </p>
            <p>
              On the embedded network, a start without <code>--no-demo-maker</code> runs two example makers.
            </p>
          </EmptyNote>
        ) : (
          <VirtualTable caption="The makers" columns={COLUMNS} rows={rows} rowKey={({ line }) => line.id} />
        )}
      </Panel>
    </>
  );
}

const COLUMNS: readonly TableColumn<Row>[] = [
  {
    heading: 'Maker',
    cell: ({ line }) => (
      <div className="maker-cell">
        <Link to="/makers/$maker" params={{ maker: line.id }}>
          {line.id}
        </Link>
        {line.name === null ? null : <span className="maker-muted">{shortenName(line.name, MAX_NAME)}</span>}
      </div>
    ),
  },
  {
    heading: 'Status',
    cell: ({ line }) => (
      <div className="maker-cell">
        {line.webhook === null || line.connected === true ? (
          <span>
            <MakerStatusBadge status={line.status} /> <span className="maker-muted">streams</span>
          </span>
        ) : null}
        {line.webhook === null ? null : (
          <span>
            <MakerStatusBadge status={line.webhook.status} /> <span className="maker-muted">webhook</span>
          </span>
        )}
      </div>
    ),
  },
  {
    heading: 'Gets orders',
    cell: ({ line }) => (
      <div className="maker-reason">
        {line.noOrders === null ? 'yes' : `no: ${escapeInvisible(line.noOrders)}`}
      </div>
    ),
  },
  {
    heading: 'Last seen',
    cell: ({ line, view }) => <div className="maker-words">{describeSeen(line, view)}</div>,
  },
  { heading: 'Won', align: 'end', cell: ({ view }) => (view === null ? '' : describeWon(view)) },
  { heading: 'Filled', align: 'end', cell: ({ view }) => (view === null ? '' : describeFilled(view)) },
  {
    heading: 'Volume',
    align: 'end',
    cell: ({ view }) => (view === null ? '' : formatDollars(view.volume.microDollars * 1_000n)),
  },
  { heading: 'Breaker', cell: ({ view }) => <div className="maker-words">{describeBreaker(view)}</div> },
  { heading: 'Wallet', cell: ({ line }) => <AddressText address={line.address} /> },
];

function describeWon({ orders: { considered, won } }: OperatorMakerView): string {
  return considered === 0 ? 'none yet' : `${won} of ${considered}`;
}

/** Swaps of streams and of the webhook together. */
function describeFilled({ swaps, webhook }: OperatorMakerView): string {
  const filled = swaps.filled + (webhook?.swaps.filled ?? 0);
  const whole = filled + swaps.missed + swaps.tampered + (webhook?.swaps.missed ?? 0);
  const share = formatCountShare(filled, whole);
  return share === null ? 'none yet' : `${filled} of ${whole}, ${share}`;
}
