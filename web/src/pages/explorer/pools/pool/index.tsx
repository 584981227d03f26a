import './pool.css';
import { Link, useParams } from '@tanstack/react-router';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { Button } from '../../../../parts/button.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { usePageSearch } from '../../../../parts/page-search.ts';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { escapeInvisible } from '../../../../base/format-text.ts';
import { ExplorerFrame } from '../../frame/explorer-frame.tsx';
import { orientPool } from '../data/orient-pool.ts';
import { isRefused, usePool } from '../data/pool-query.ts';
import type { PoolDetails } from '../data/pool-shape.ts';
import { DepthPanel } from './depth-panel.tsx';
import { PoolFacts, PoolLinks } from './pool-facts.tsx';
import { PoolQuotePanel } from './pool-quote.tsx';
import { PoolTrades } from './pool-trades.tsx';

/** One pool: what is in it, what it swaps at which price, and who swapped. */
export function PoolPage() {
  const { address = '' } = useParams({ strict: false });
  return <PoolView key={address} address={address} />;
}

function PoolView({ address }: { readonly address: string }) {
  const { data, error, dataUpdatedAt, refetch } = usePool(address);
  if (data === undefined || isRefused(error, 404)) {
    return (
      <ExplorerFrame title="Pool" lead={<AddressText address={address} link={null} />}>
        <Panel>
          {error === null ? (
            <Loading what="the pool" />
          ) : isRefused(error, 404) ? (
            <EmptyNote>
              <p>
                No pool that Sluice follows is at this address. <Link to="/explorer/pools">All pools</Link>{' '}
                are listed, and{' '}
                <Link to="/explorer/account/$address" params={{ address }} preload={false}>
                  the account
                </Link>{' '}
                may be something else.
              </p>
            </EmptyNote>
          ) : (
            <ErrorNote error={error} onRetry={isRefused(error, 400) ? undefined : () => void refetch()} />
          )}
        </Panel>
      </ExplorerFrame>
    );
  }
  return <FoundPool pool={data} at={dataUpdatedAt} failure={error} onRetry={() => void refetch()} />;
}

function FoundPool({
  pool,
  at,
  failure,
  onRetry,
}: {
  readonly pool: PoolDetails;
  readonly at: number;
  /** Why it could not be read again; null if it could. */
  readonly failure: unknown;
  readonly onRetry: () => void;
}) {
  const [search, changeSearch] = usePageSearch();
  const isFlipped = search.flip === 'true';
  const oriented = orientPool(pool, isFlipped);
  const title = oriented === null ? 'Pool' : `${oriented.base.symbol} / ${oriented.quote.symbol}`;
  return (
    <ExplorerFrame
      title={title}
      lead={
        <>
          A pool of {pool.venue}: <AddressText address={pool.address} />
        </>
      }
    >
      {failure === null ? null : <ErrorNote error={failure} onRetry={onRetry} />}
      {oriented === null ? (
        <Panel title="State">
          <EmptyNote>
            <p>
              <Badge tone="warning">not routed over</Badge>{' '}
              {escapeInvisible(pool.unusable ?? 'it cannot be read')}
            </p>
          </EmptyNote>
        </Panel>
      ) : (
        <>
          <Panel
            title="State"
            aside={
              <Button onClick={() => changeSearch({ flip: isFlipped ? null : 'true' })}>
                Prices in {oriented.base.symbol}
              </Button>
            }
          >
            <PoolFacts pool={pool} oriented={oriented} />
            <PoolLinks pool={pool} oriented={oriented} />
          </Panel>
          <DepthPanel pool={pool} at={at} oriented={oriented} />
          <PoolQuotePanel key={oriented.base.mint} pool={pool} oriented={oriented} />
        </>
      )}
      <PoolTrades address={pool.address} />
    </ExplorerFrame>
  );
}
