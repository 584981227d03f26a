import { formatDollars, formatShare } from '../../../../base/format-dollars.ts';
import { formatWhole } from '../../../../base/format-amount.ts';
import { Badge } from '../../../../parts/badge.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { Stat, StatList } from '../../../../parts/stat.tsx';
import type { EventSourceState } from '../../../../parts/live/use-event-source.ts';
import { DollarPrice } from '../../money/money-text.tsx';
import { TokenLink } from '../../../../parts/token-link.tsx';
import { type TokenPrice, USD_PRICE_PLACES } from '../model/read-prices.ts';

/** The price of a token now, as its stream tells it. */
export function TokenPricePanel({
  mint,
  symbol,
  name,
  price,
  live,
}: {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string | null;
  /** Null: it has none. */
  readonly price: TokenPrice | null;
  readonly live: EventSourceState;
}) {
  return (
    <Panel title={name === null ? symbol : `${symbol}, ${name}`} aside={<StreamBadge live={live} />}>
      <StatList>
        <Stat
          label="Price"
          value={
            price === null ? (
              'none'
            ) : (
              <span className="token-price">
                <DollarPrice price={price.price} places={USD_PRICE_PLACES} />
              </span>
            )
          }
          note={price === null ? 'No pool of it is deep enough.' : <SlotNote slot={price.slot} />}
        />
        <ChangeStat change={price?.change ?? null} />
        <Stat
          label="In all its pools"
          value={price === null || price.liquidity === null ? 'unknown' : formatDollars(price.liquidity)}
        />
        <Stat
          label="Token"
          value={<TokenLink mint={mint} label={symbol} />}
          note="its page in the explorer"
        />
      </StatList>
    </Panel>
  );
}

function ChangeStat({ change }: { readonly change: bigint | null }) {
  if (change === null) return <Stat label="Change in 24 h" value="not known yet" />;
  const tone = change > 0n ? 'good' : change < 0n ? 'danger' : 'plain';
  return <Stat label="Change in 24 h" value={formatChange(change)} tone={tone} />;
}

/** Formats a change in millionths with its sign. */
export function formatChange(change: bigint): string {
  return `${change > 0n ? '+' : ''}${formatShare(change)}`;
}

function SlotNote({ slot }: { readonly slot: bigint | null }) {
  return slot === null ? 'from the pools' : `of slot ${formatWhole(slot)}`;
}

function StreamBadge({ live }: { readonly live: EventSourceState }) {
  if (live.kind === 'open') return <Badge tone="good">live</Badge>;
  if (live.kind === 'waiting' || live.kind === 'refused') {
    return (
      <span title={live.reason}>
        <Badge tone="warning">{live.kind === 'refused' ? 'not live' : 'connecting again'}</Badge>
      </span>
    );
  }
  return <Badge>connecting</Badge>;
}
