import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useKnownTokens } from '../../../../api/known-tokens.ts';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { parseCurve } from '../model/parse-launches.ts';
import { EmptyNote } from '../../../../parts/status.tsx';
import { CreatorFees } from './creator-fees.tsx';
import { CreatorPage } from './creator-page.tsx';
import { CurveChart } from './curve-chart.tsx';
import { CurveFacts } from './curve-facts.tsx';

const REFETCH_MS = 3_000;

/** One launch: its curve and how far it is, what its creator has earned, and what it says of itself. */
export function LaunchDetail({ mint }: { readonly mint: string }) {
  const query = useRawQuery(`/studio/v1/dbc-pool/curve/${encodeURIComponent(mint)}`, {
    refetchMs: REFETCH_MS,
  });
  const curve = useMemo(() => (query.data === undefined ? null : parseCurve(query.data.exact)), [query.data]);
  const mints = useMemo(() => (curve === null ? [mint] : [mint, curve.quoteMint]), [mint, curve]);
  const tokens = useKnownTokens(mints, true);
  return (
    <>
      <p>
        <Link to="/products/launches">All launches</Link>
      </p>
      <AnswerPanel title={`Curve of ${tokens.getSymbol(mint)}`} what="curve" query={query}>
        {() =>
          curve === null ? (
            <EmptyNote>The answer is no curve.</EmptyNote>
          ) : (
            <>
              <CurveFacts mint={mint} curve={curve} tokens={tokens} />
              <CurveChart mint={mint} curve={curve} tokens={tokens} />
            </>
          )
        }
      </AnswerPanel>
      {curve === null ? null : <CreatorFees curve={curve} tokens={tokens} />}
      <CreatorPage key={mint} mint={mint} />
    </>
  );
}
