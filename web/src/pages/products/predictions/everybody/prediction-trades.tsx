import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { formatOptionalDollars } from '../model/format-contracts.ts';
import { parsePredictionTrades } from '../model/parse-everybody.ts';

const REFETCH_MS = 3_000;

/** The last hundred trades of everybody. */
export function PredictionTradeList() {
  const query = useRawQuery('/prediction/v1/trades', { refetchMs: REFETCH_MS });
  const trades = useMemo(
    () => (query.data === undefined ? [] : parsePredictionTrades(query.data.exact)),
    [query.data],
  );
  return (
    <AnswerPanel title="Trades of everybody" what="trades" query={query}>
      {() =>
        trades.length === 0 ? (
          <EmptyNote>Nobody has traded yet.</EmptyNote>
        ) : (
          <StackedRows>
            <DataTable
              caption="Trades"
              rows={trades}
              rowKey={({ id }) => id}
              columns={[
                { heading: 'Trade', cell: ({ message }) => message },
                {
                  heading: 'Market',
                  cell: ({ eventId, marketId, market, event }) => (
                    <>
                      <Link to="/products/predictions" search={{ event: eventId, market: marketId } as never}>
                        {market}
                      </Link>
                      <span className="event-table__note">{event}</span>
                    </>
                  ),
                },
                { heading: 'Amount', align: 'end', cell: ({ amount }) => formatOptionalDollars(amount) },
                { heading: 'Wallet', cell: ({ owner }) => <TraderLink owner={owner} /> },
                { heading: 'Time', align: 'end', cell: ({ at }) => (at === null ? '' : formatUtcTime(at)) },
              ]}
            />
          </StackedRows>
        )
      }
    </AnswerPanel>
  );
}

function TraderLink({ owner }: { readonly owner: string | null }) {
  if (owner === null) return <>unknown</>;
  return (
    <>
      <AddressText address={owner} />{' '}
      <Link to="/products/predictions" search={{ view: 'wallet', address: owner } as never}>
        Its predictions
      </Link>
    </>
  );
}
