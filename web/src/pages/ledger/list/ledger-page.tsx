import '../ledger.css';
import { useMemo, useState } from 'react';
import { useKnownTokens } from '../../../api/known-tokens.ts';
import type { Scope } from '../../../api/scope.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { Button } from '../../../parts/button.tsx';
import { ChoiceBar } from '../../../parts/choice-bar.tsx';
import { Panel } from '../../../parts/page.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { useMinuteClock } from '../../../parts/use-minute-clock.ts';
import { type LedgerFilters, useLedgerFills, useLedgerOrders } from '../source/ledger-queries.ts';
import type { FillRow, LedgerOrder } from '../source/ledger-shapes.ts';
import { FillTable } from './fill-table.tsx';
import { LedgerFilterBar, type LedgerView, toLedgerFilters } from './ledger-filters.tsx';
import { LedgerSearch } from './ledger-search.tsx';
import { OrderTable } from './order-table.tsx';

/** Rows that a page keeps. Older ones are found by a narrower filter. */
const MAX_KEPT = 2_000;
const NO_ORDERS: readonly LedgerOrder[] = [];
const NO_FILLS: readonly FillRow[] = [];

/** The orders of a scope, or the fills that makers were offered for them. */
export function LedgerPage({ scope }: { readonly scope: Scope }) {
  const [search, change] = usePageSearch();
  const view: LedgerView = search.view === 'fills' ? 'fills' : 'orders';
  const [isLive, setLive] = useState(true);
  const now = useMinuteClock();
  // The begin of the range stays where it is while somebody reads: a new one would begin the list again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock alone does not change what is asked for.
  const filters = useMemo(
    () => toLedgerFilters(search, view, scope, now),
    [JSON.stringify(search), view, scope],
  );
  const List = view === 'orders' ? OrderList : FillList;
  return (
    <>
      <Panel>
        <LedgerSearch scope={scope} />
        <LedgerFilterBar scope={scope} view={view} />
      </Panel>
      <Panel
        title={view === 'orders' ? 'Orders' : 'Fills'}
        aside={
          <>
            <ChoiceBar
              label="What is listed"
              choices={[
                ['orders', 'Orders'],
                ['fills', 'Fills'],
              ]}
              chosen={view}
              onChoose={(chosen) => change({ view: chosen === 'orders' ? null : chosen })}
            />
            <Button kind="quiet" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
              {isLive ? 'Pause' : 'Follow'}
            </Button>
          </>
        }
      >
        <List scope={scope} filters={filters} isLive={isLive} onRead={() => setLive(false)} />
      </Panel>
    </>
  );
}

interface ListProps {
  readonly scope: Scope;
  readonly filters: LedgerFilters;
  readonly isLive: boolean;
  /** Called when older rows are read: what lies below would move while new ones come. */
  readonly onRead: () => void;
}

function OrderList({ scope, filters, isLive, onRead }: ListProps) {
  const query = useLedgerOrders(scope, filters, isLive);
  const orders = useMemo(
    () => query.data?.pages.flatMap(({ value }) => value.orders) ?? NO_ORDERS,
    [query.data],
  );
  const mints = useMemo(
    () => orders.flatMap(({ inputMint, outputMint }) => [inputMint ?? '', outputMint ?? '']),
    [orders],
  );
  const tokens = useKnownTokens(mints);
  return (
    <ListFrame query={query} count={orders.length} onRead={onRead} what="orders" filters={filters}>
      <OrderTable scope={scope} orders={orders} tokens={tokens} />
    </ListFrame>
  );
}

function FillList({ scope, filters, isLive, onRead }: ListProps) {
  const query = useLedgerFills(scope, filters, isLive);
  const fills = useMemo(
    () => query.data?.pages.flatMap(({ value }) => value.fills) ?? NO_FILLS,
    [query.data],
  );
  const mints = useMemo(
    () => fills.flatMap(({ fill }) => [fill?.paid?.mint ?? '', fill?.received?.mint ?? '']),
    [fills],
  );
  const tokens = useKnownTokens(mints);
  return (
    <ListFrame query={query} count={fills.length} onRead={onRead} what="fills" filters={filters}>
      <FillTable scope={scope} fills={fills} tokens={tokens} />
    </ListFrame>
  );
}

function ListFrame({
  query,
  count,
  what,
  filters,
  onRead,
  children,
}: {
  readonly query: ReturnType<typeof useLedgerOrders> | ReturnType<typeof useLedgerFills>;
  readonly count: number;
  readonly what: LedgerView;
  readonly filters: LedgerFilters;
  readonly onRead: () => void;
  readonly children: React.ReactNode;
}) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const first = data?.pages[0];
  const dropped = first?.value.dropped ?? 0;
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what={what} />
        ) : null
      ) : count === 0 ? (
        <NothingFound what={what} isFiltered={Object.keys(filters).length > 0} />
      ) : (
        children
      )}
      {hasNextPage && count < MAX_KEPT ? (
        <Button
          busy={isFetchingNextPage}
          onClick={() => {
            onRead();
            void fetchNextPage();
          }}
        >
          Show older ones
        </Button>
      ) : null}
      {hasNextPage && count >= MAX_KEPT ? (
        <p className="ledger-muted">
          The newest {formatWhole(count)} are shown. Choose a filter or a shorter time to see others.
        </p>
      ) : null}
      {dropped > 0 ? (
        <p className="ledger-muted">
          This instance lost {formatWhole(dropped)} rows of the ledger since it started, so an order may be
          missing.
        </p>
      ) : null}
      <RawAnswer raw={first?.raw} name={`of the newest ${what}`} />
    </>
  );
}

function NothingFound({ what, isFiltered }: { readonly what: LedgerView; readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyNote>
        <p>Nothing that is kept fits these filters in this time. Choose fewer of them, or a longer time.</p>
        {what === 'fills' ? <p>Swaps through pools alone have no fill: they are among the orders.</p> : null}
      </EmptyNote>
    );
  return (
    <EmptyNote>
      <p>
        {what === 'orders' ? 'No order was given out' : 'No maker was offered a fill'} in the last 7 days.
      </p>
      <p>
        {what === 'orders'
          ? 'An order is kept when /swap/v2/order gives out a transaction for a taker. The start page of the portal makes one.'
          : 'A fill is offered when a taker executes an order that a maker won.'}
      </p>
    </EmptyNote>
  );
}
