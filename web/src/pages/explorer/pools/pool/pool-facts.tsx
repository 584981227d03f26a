import { Link } from '@tanstack/react-router';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { Stat, StatList } from '../../../../parts/stat.tsx';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { formatUnits } from '../../../../base/format-amount.ts';
import { formatBriefUnits } from '../../../../base/format-brief.ts';
import { formatDistance, formatDollarNumber, formatNumber, formatPercent } from '../data/format-price.ts';
import { SlotLink } from '../../slots/slot-link.tsx';
import { type OrientedPool, orientPrice } from '../data/orient-pool.ts';
import { findPoolTokens, type PoolDetails, type PoolToken } from '../data/pool-shape.ts';

/** A share from which a pool's fee is so high that prices leave the pool aside. */
const DEAR_FEE = 0.1;
const MAX_SECONDS = 8_640_000_000_000n;

/** What a pool is: its price, what is in it, and what it charges. */
export function PoolFacts({
  pool,
  oriented,
}: {
  readonly pool: PoolDetails;
  readonly oriented: OrientedPool;
}) {
  const { base, quote } = oriented;
  const price = orientPrice(pool.price, oriented);
  const feed = orientPrice(pool.feedPrice, oriented);
  const market = orientPrice(pool.marketPrice, oriented);
  return (
    <StatList>
      <Stat
        label={`Price of one ${base.symbol}`}
        value={price === null ? '–' : `${formatNumber(price)} ${quote.symbol}`}
        note={describeReference(price, feed, market, quote)}
      />
      <Stat
        label="Liquidity"
        value={pool.liquidity === null ? '–' : formatDollarNumber(pool.liquidity)}
        note={pool.liquidity === null ? undefined : 'what it could pay out on both sides'}
      />
      <Stat
        label="Fee"
        value={pool.fee === null ? '–' : formatPercent(pool.fee)}
        note={
          pool.fee === null
            ? undefined
            : pool.fee >= DEAR_FEE
              ? 'so high that prices leave it aside'
              : 'of a small swap now, the mean of both directions'
        }
        tone={pool.fee !== null && pool.fee >= DEAR_FEE ? 'warning' : 'plain'}
      />
      <HeldTokens pool={pool} />
      <Stat
        label="Last change"
        value={
          pool.change === null ? (
            'none since the start'
          ) : (
            <>
              slot <SlotLink slot={pool.change.slot} />
            </>
          )
        }
        note={pool.change === null ? undefined : formatUtcTime(pool.change.at)}
      />
    </StatList>
  );
}

function describeReference(
  price: number | null,
  feed: number | null,
  market: number | null,
  { symbol }: PoolToken,
): string | undefined {
  const [reference, name] = feed === null ? [market, 'market'] : [feed, 'price feed'];
  if (price === null || reference === null) return undefined;
  return `${formatDistance(price, reference).replace('the price', `the ${name}`)}, ${formatNumber(reference)} ${symbol}`;
}

/** Exact where the venue tells, and otherwise what it could pay out. */
function HeldTokens({ pool }: { readonly pool: PoolDetails }) {
  const tokens = findPoolTokens(pool) ?? [];
  const amounts = pool.reserves ?? pool.paidOut ?? [];
  return tokens.map((token, side) => {
    const raw = amounts[side];
    // A venue that issues a token holds none of it.
    return raw === undefined || (raw === 0n && pool.reserves === null) ? null : (
      <Stat
        key={token.mint}
        label={pool.reserves === null ? `Pays out ${token.symbol}, about` : `Holds ${token.symbol}`}
        value={
          <span title={`${formatUnits(raw, token.decimals)} ${token.symbol}`}>
            {formatBriefUnits(raw, token.decimals)} {token.symbol}
          </span>
        }
      />
    );
  });
}

/** The accounts of a pool, and what can be done with it. */
export function PoolLinks({
  pool,
  oriented,
}: {
  readonly pool: PoolDetails;
  readonly oriented: OrientedPool;
}) {
  const { base, quote } = oriented;
  const tokens = findPoolTokens(pool) ?? [];
  return (
    <dl className="pool-links">
      <div>
        <dt>Tokens</dt>
        <dd>
          {tokens.map(({ mint, symbol, isVerified }) => (
            <span key={mint} className="pool-links__token">
              <Link to="/explorer/token/$mint" params={{ mint }} preload={false}>
                {symbol}
              </Link>
              {isVerified ? null : <Badge>not verified</Badge>}
            </span>
          ))}
        </dd>
      </div>
      <div>
        <dt>Account</dt>
        <dd>
          <AddressText address={pool.address} />
        </dd>
      </div>
      {pool.program === null ? null : (
        <div>
          <dt>Program</dt>
          <dd>
            <AddressText address={pool.program} label={pool.venue} />
          </dd>
        </div>
      )}
      {pool.vaults?.map((vault, side) =>
        // The mint stands for a token that the venue issues.
        vault === tokens[side]?.mint ? null : (
          <div key={vault}>
            <dt>{tokens[side]?.symbol} in</dt>
            <dd>
              <AddressText address={vault} />
            </dd>
          </div>
        ),
      )}
      {pool.openedAt !== null && pool.openedAt > 0n && pool.openedAt < MAX_SECONDS ? (
        <div>
          <dt>Open since</dt>
          <dd>{formatUtcTime(Number(pool.openedAt) * 1_000)}</dd>
        </div>
      ) : null}
      <div>
        <dt>Routes</dt>
        <dd>
          <Link
            to="/routes"
            search={{ from: base.mint, to: quote.mint, amount: '1', dexes: pool.venue } as never}
            preload={false}
          >
            Quote {base.symbol} for {quote.symbol} over {pool.venue} only
          </Link>
        </dd>
      </div>
    </dl>
  );
}
