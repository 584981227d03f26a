import { useRef, useState } from 'react';
import { useAdminAnswer } from '../../../api/admin-operations.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Panel } from '../../../parts/page.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { EffectsTable } from '../effects/effects-table.tsx';
import { useEffects } from '../effects/use-effects.ts';
import { FeedHistory, type FeedPrice, formatFeedPrice } from './feed-history.ts';
import { Follower } from './follower.tsx';
import { PriceControl } from './price-control.tsx';
import { WalkForm } from './walk-form.tsx';

const REFRESH_MS = 2_000;
const FIRST_FEED = 'SOL';

/** The prices of the feeds, which pools and products follow. */
export function PricesSection() {
  const { data, error, refetch, dataUpdatedAt } = useAdminAnswer('GET /admin/v1/network/prices', REFRESH_MS);
  const [history] = useState(() => new FeedHistory());
  const recorded = useRef(0);
  if (data !== undefined && recorded.current !== dataUpdatedAt) {
    recorded.current = dataUpdatedAt;
    history.record(data.prices, dataUpdatedAt);
  }
  const [search, change] = usePageSearch();
  const feed = data?.prices.find(({ symbol }) => symbol === (search.feed ?? FIRST_FEED)) ?? data?.prices[0];
  return (
    <section id="prices">
      <Panel title="Prices" aside={<Follower />}>
        {data === undefined || feed === undefined ? (
          error === null ? (
            <Loading what="the prices" />
          ) : (
            <ErrorNote error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <>
            <FeedChoice
              feeds={data.prices}
              chosen={feed.symbol}
              onChoose={(symbol) => change({ feed: symbol === FIRST_FEED ? null : symbol })}
            />
            <FeedControls key={feed.symbol} feed={feed} history={history} />
          </>
        )}
      </Panel>
    </section>
  );
}

function FeedControls({ feed, history }: { readonly feed: FeedPrice; readonly history: FeedHistory }) {
  const effects = useEffects(feed.symbol);
  return (
    <>
      <PriceControl feed={feed} past={history.get(feed.symbol)} effects={effects} />
      <WalkForm feed={feed} />
      <EffectsTable effects={effects} symbol={feed.symbol} />
    </>
  );
}

function FeedChoice({
  feeds,
  chosen,
  onChoose,
}: {
  readonly feeds: readonly FeedPrice[];
  readonly chosen: string;
  readonly onChoose: (symbol: string) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen.
    <div className="feed-choice" role="group" aria-label="Feed">
      {feeds.map(({ symbol, price, walk, follows }) => (
        <button
          key={symbol}
          type="button"
          className="feed-choice__feed"
          aria-pressed={symbol === chosen}
          onClick={() => onChoose(symbol)}
        >
          <span className="feed-choice__symbol">{symbol}</span>
          <span className="feed-choice__price">{formatFeedPrice(price)}</span>
          {walk === null ? null : <Badge tone="accent">walks</Badge>}
          {follows === null ? null : <Badge>follows {follows}</Badge>}
        </button>
      ))}
    </div>
  );
}
