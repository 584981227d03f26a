import { useMemo, useState } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { getMember, isFlagSet } from '../../../../base/read-json.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { PageTurner } from '../../frame/page-turner.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { formatContracts, formatOptionalDollars } from '../model/format-contracts.ts';
import { parseHistory } from '../model/parse-holdings.ts';
import { MarketLink } from './market-link.tsx';

const REFETCH_MS = 5_000;
const PAGE_SIZE = 20;

/** What happened to the orders and positions of a wallet, the newest first. */
export function PredictionHistoryPanel({ address }: { readonly address: string }) {
  const [page, setPage] = useState(1);
  const query = useRawQuery(formatHistoryPath(address, page), { refetchMs: REFETCH_MS });
  const events = useMemo(
    () => (query.data === undefined ? [] : parseHistory(query.data.exact)),
    [query.data],
  );
  const hasNext = isFlagSet(getMember(query.data?.exact, 'pagination'), 'hasNext');
  return (
    <AnswerPanel title="History" what="history" query={query}>
      {() => (
        <>
          {events.length === 0 && page === 1 ? (
            <EmptyNote>This wallet has not traded yet.</EmptyNote>
          ) : (
            <StackedRows>
              <DataTable
                caption="History"
                rows={events}
                rowKey={({ id }) => id}
                columns={[
                  { heading: 'What', cell: ({ what }) => what },
                  { heading: 'Market', cell: (event) => <MarketLink of={event} /> },
                  {
                    heading: 'Contracts',
                    align: 'end',
                    cell: ({ contracts, isYes, isForecast }) =>
                      `${formatContracts(contracts)}${isForecast ? '' : isYes ? ' of yes' : ' of no'}`,
                  },
                  {
                    heading: 'Money',
                    align: 'end',
                    cell: ({ money }) =>
                      money === null ? '' : `${money.verb} ${formatOptionalDollars(money.amount)}`,
                  },
                  {
                    heading: 'Profit',
                    align: 'end',
                    cell: ({ profit }) => (profit === null ? '' : formatOptionalDollars(profit)),
                  },
                  {
                    heading: 'Transaction',
                    cell: ({ signature, at }) => (
                      <>
                        {at === null ? null : <span className="event-table__note">{formatUtcTime(at)}</span>}
                        {signature === null ? null : <AddressText address={signature} link="transaction" />}
                      </>
                    ),
                  },
                ]}
              />
            </StackedRows>
          )}
          {page > 1 || hasNext ? (
            <PageTurner what="the history" page={page} hasNext={hasNext} onPage={setPage} />
          ) : null}
        </>
      )}
    </AnswerPanel>
  );
}

/** Returns the path of a page of the history of a wallet. */
export function formatHistoryPath(address: string, page: number): string {
  const [start, end] = [(page - 1) * PAGE_SIZE, page * PAGE_SIZE];
  return `/prediction/v1/history?${new URLSearchParams({ ownerPubkey: address, start: String(start), end: String(end) })}`;
}
