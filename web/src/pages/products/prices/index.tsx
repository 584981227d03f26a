import './prices.css';
import { useMemo } from 'react';
import { useKnownTokens, useTokenSearch } from '../../../api/known-tokens.ts';
import { useRawQuery } from '../../../api/raw-query.ts';
import { isAddress } from '../../../base/is-address.ts';
import { SOL_MINT } from '../../../base/mints.ts';
import { usePageSearch } from '../../../parts/page-search.ts';
import { EmptyNote } from '../../../parts/status.tsx';
import { ProductFrame } from '../frame/product-frame.tsx';
import { useSeenMints } from './live/use-seen-mints.ts';
import { usePriceStream } from './live/use-price-stream.ts';
import { joinPrices, readPrices } from './model/read-prices.ts';
import { CandlesPanel } from './token/candles-panel.tsx';
import { SourcesPanel } from './token/sources-panel.tsx';
import { TokenPricePanel } from './token/token-price.tsx';
import { TradesPanel } from './token/trades-panel.tsx';
import { TokenList } from './token-list.tsx';

/** Mints that a request for prices takes. */
const MAX_MINTS = 50;
/** The stream tells prices that change; the change of a day and what is in pools come with the answer. */
const REFRESH_MS = 30_000;

/** The prices of tokens. */
export function PricesPage() {
  const [search] = usePageSearch();
  const isNamed = search.mint !== undefined && isAddress(search.mint);
  const mint = isNamed ? (search.mint ?? SOL_MINT) : SOL_MINT;
  return (
    <ProductFrame view="prices" wide lead="What tokens are worth in US dollars, over time and as it changes.">
      <PricesContent key={mint} mint={mint} isUnnamed={search.mint !== undefined && !isNamed} />
    </ProductFrame>
  );
}

function PricesContent({
  mint,
  isUnnamed,
}: {
  readonly mint: string;
  /** Whether the address of the page names something that is no token. */
  readonly isUnnamed: boolean;
}) {
  const [search] = usePageSearch();
  const found = useTokenSearch(search.q ?? '', true);
  const listed = useMemo(() => (found.data ?? []).map((token) => token.mint), [found.data]);
  const ids = [...new Set([mint, ...listed])].slice(0, MAX_MINTS).toSorted().join(',');
  const answer = useRawQuery<unknown>(`/price/v3?ids=${ids}`, { refetchMs: REFRESH_MS });
  const { prices: told, trades, live } = usePriceStream(listed, mint);
  const exact = answer.data?.exact;
  const prices = useMemo(() => joinPrices(readPrices(exact), told), [exact, told]);
  const { lines, total } = trades.sample;
  const traded = useSeenMints(mint, lines);
  const tokens = useKnownTokens(traded);
  const price = prices.get(mint) ?? null;
  const symbol = tokens.getSymbol(mint);
  const change = `${price?.price} ${price?.slot} ${total}`;
  return (
    <>
      {isUnnamed ? <EmptyNote>The address of this page names no token, so SOL is shown.</EmptyNote> : null}
      <div className="prices-columns">
        <div className="prices-columns__token">
          <TokenPricePanel
            mint={mint}
            symbol={symbol}
            name={tokens.find(mint)?.name ?? null}
            price={price}
            live={live}
          />
          <CandlesPanel key={`candles-${mint}`} mint={mint} symbol={symbol} change={change} />
          <TradesPanel mint={mint} tokens={tokens} trades={trades} live={live} />
          <SourcesPanel key={`sources-${mint}`} mint={mint} symbol={symbol} change={change} />
        </div>
        <TokenList mint={mint} found={found} prices={prices} raw={answer.data} />
      </div>
    </>
  );
}
