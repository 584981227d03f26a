import './list/pool-list.css';
import { useMemo } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { formatWhole } from '../../../base/format-amount.ts';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';
import { usePools } from './data/pool-query.ts';
import type { PoolRow } from './data/pool-shape.ts';
import { PoolFilterForm } from './list/pool-filter.tsx';
import { PoolTable } from './list/pool-table.tsx';

/** The pools that the gateway trades on. */
export function PoolsPage() {
  const [search, changeSearch] = usePageSearch();
  const { query = '', venue = '' } = search;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePools({ query, venue });
  const pools = useMemo(() => joinPages(data?.pages ?? []), [data]);
  const total = data?.pages[0]?.total ?? 0;
  return (
    <ExplorerFrame
      title="Pools"
      lead="Every pool that Sluice follows, those with most in them first, and what each charges."
    >
      <Panel>
        <PoolFilterForm
          query={query}
          venue={venue}
          venues={data?.pages[0]?.venues ?? (venue === '' ? [] : [venue])}
          onChange={changeSearch}
        />
        {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          error === null ? (
            <Loading what="pools" />
          ) : null
        ) : pools.length === 0 ? (
          <EmptyNote>
            <p>No pool matches. Words are beginnings of symbols, or whole addresses of pools and tokens.</p>
            <Button onClick={() => changeSearch({ query: null, venue: null })}>Show all pools</Button>
          </EmptyNote>
        ) : (
          <>
            <PoolTable pools={pools} />
            <p className="pool-list__more" role="status">
              {formatWhole(pools.length)} of {formatWhole(total)} pools
              {hasNextPage ? (
                <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Show more
                </Button>
              ) : null}
            </p>
          </>
        )}
      </Panel>
    </ExplorerFrame>
  );
}

/** A pool may have moved from one page to another between two reads. */
function joinPages(pages: readonly { readonly pools: readonly PoolRow[] }[]): readonly PoolRow[] {
  const byAddress = new Map<string, PoolRow>();
  for (const row of pages.flatMap((page) => page.pools))
    if (!byAddress.has(row.address)) byAddress.set(row.address, row);
  return [...byAddress.values()];
}
