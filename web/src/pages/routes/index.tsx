import './routes.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Page, Panel } from '../../parts/page.tsx';
import { EmptyNote, Loading } from '../../parts/status.tsx';
import { NoQuote } from './summary/no-quote.tsx';
import { useRouteQuote } from './quote/quote-query.ts';
import { useKnownTokens } from '../../api/known-tokens.ts';
import { RouteForm } from './form/route-form.tsx';
import {
  findRequestProblems,
  formatQuotePath,
  formatRouteSearch,
  getFixedMint,
  parseRouteRequest,
  type RouteRequest,
  toQuoteParameters,
} from './quote/route-request.ts';
import { RouteResult } from './route-result.tsx';

/** The page that shows the route of a quote. Its request stands in the address, so that it can be shared. */
export function RoutesPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const written = JSON.stringify(search);
  const [isWatched, setWatched] = useState(false);
  const named = useMemo(() => parseRouteRequest(JSON.parse(written)), [written]);
  const mints = useMemo(() => [named.inputMint, named.outputMint], [named]);
  const tokens = useKnownTokens(mints);
  const { decimals } = tokens.findMarket(getFixedMint(named));
  const request = useMemo(() => parseRouteRequest(JSON.parse(written), decimals), [written, decimals]);
  const isReady = decimals !== null || tokens.isLoaded;
  const isComplete = isReady && findRequestProblems(request, decimals).size === 0;
  const parameters = toQuoteParameters(request, decimals);
  const path = isComplete ? formatQuotePath(request.source, parameters) : null;
  const quote = useRouteQuote(path, isWatched);
  const ask = (wanted: RouteRequest) => {
    if (JSON.stringify(wanted) === JSON.stringify(request)) void quote.refetch();
    else void navigate({ to: '/routes', search: formatRouteSearch(wanted) as never });
  };
  return (
    <Page
      wide
      title="Routes"
      lead="The way of a swap through pools and makers, what it costs, and what each engine offers for it."
    >
      <Panel>
        <RouteForm request={request} isAsking={quote.isLoading} onAsk={ask} />
      </Panel>
      {quote.error !== null ? (
        <NoQuote
          error={quote.error}
          request={request}
          tokens={tokens}
          onAsk={ask}
          onRetry={() => void quote.refetch()}
        />
      ) : quote.data !== undefined && path !== null ? (
        <RouteResult
          request={request}
          path={path}
          parameters={parameters}
          decimals={decimals}
          quote={quote.data}
          isWatched={isWatched}
          onWatch={setWatched}
          onRefresh={() => void quote.refetch()}
        />
      ) : path !== null || !isReady ? (
        <Loading what="the quote" />
      ) : (
        <EmptyNote>
          <p>There is nothing to ask yet: the form says which of its values cannot be used.</p>
        </EmptyNote>
      )}
    </Page>
  );
}
