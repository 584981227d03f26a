import { Link } from '@tanstack/react-router';
import type { useTokenSearch } from '../../../api/known-tokens.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { FilterField } from '../../../parts/filter-field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import type { RawAnswerText } from '../../../api/raw-query.ts';
import { DollarPrice } from '../money/money-text.tsx';
import { type TokenPrices, USD_PRICE_PLACES } from './model/read-prices.ts';
import { formatChange } from './token/token-price.tsx';

/** The tokens of this network, searched and listed with their prices. */
export function TokenList({
  mint,
  found,
  prices,
  raw,
}: {
  /** The one that is looked at. */
  readonly mint: string;
  readonly found: ReturnType<typeof useTokenSearch>;
  readonly prices: TokenPrices;
  readonly raw: RawAnswerText<unknown> | undefined;
}) {
  const [search, setSearch] = usePageSearch();
  const { data, error, refetch } = found;
  return (
    <Panel title="Tokens">
      <FilterField
        label="Search tokens"
        help="By symbol, name or mint. Without a text, tokens that are verified are listed."
        value={search.q ?? ''}
        onChange={(text) => setSearch({ q: text })}
      />
      {data === undefined ? (
        error === null ? (
          <Loading what="the tokens" />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <EmptyNote>No token of this network is called that.</EmptyNote>
      ) : (
        <DataTable
          caption="Tokens and their prices"
          columns={[
            {
              heading: 'Token',
              cell: (token) => (
                <span className="price-token">
                  <Link
                    to="/products/prices"
                    search={{ ...search, mint: token.mint } as never}
                    preload={false}
                    aria-current={token.mint === mint ? 'true' : undefined}
                    title={token.mint}
                  >
                    {token.symbol}
                  </Link>
                  <span className="prices-note">
                    {token.isVerified ? token.name : `${token.name} (not verified)`}
                  </span>
                </span>
              ),
            },
            {
              heading: 'Price',
              align: 'end',
              cell: (token) => (
                <DollarPrice price={prices.get(token.mint)?.price ?? null} places={USD_PRICE_PLACES} />
              ),
            },
            {
              heading: '24 h',
              align: 'end',
              cell: (token) => <Change change={prices.get(token.mint)?.change} />,
            },
          ]}
          rows={data}
          rowKey={(token) => token.mint}
        />
      )}
      <RawAnswer raw={raw} name="of the prices" />
    </Panel>
  );
}

function Change({ change }: { readonly change: bigint | null | undefined }) {
  if (change === null || change === undefined) return '';
  const tone = change > 0n ? 'rose' : change < 0n ? 'fell' : 'same';
  return <span className={`price-change price-change--${tone}`}>{formatChange(change)}</span>;
}
