import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { fetchText, withApiKey } from '../../../../api/call.ts';
import type { KnownTokens } from '../../../../api/known-tokens.ts';
import { usePace } from '../../../../api/pace.ts';
import { readRawAnswer } from '../../../../api/raw-query.ts';
import { getWhole } from '../../../../base/read-json.ts';
import { Stat, StatList } from '../../../../parts/stat.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { MintAmount } from '../../frame/mint-amount.tsx';
import type { CurveView } from '../model/parse-launches.ts';

const REFETCH_MS = 5_000;
const PATH = '/studio/v1/dbc/fee';

/** What trades on a curve have earned its creator, and how it is claimed. */
export function CreatorFees({
  curve: { pool, quoteMint },
  tokens,
}: {
  readonly curve: CurveView;
  readonly tokens: KnownTokens;
}) {
  const query = useQuery({
    queryKey: ['creator-fees', pool],
    queryFn: ({ signal }) => fetchFees(pool, signal),
    refetchInterval: usePace(REFETCH_MS),
  });
  return (
    <AnswerPanel title="Fees of the creator" what="fees" query={query}>
      {({ exact }) => (
        <>
          <StatList>
            <Stat
              label="To be claimed"
              value={<MintAmount raw={getWhole(exact, 'unclaimed')} mint={quoteMint} tokens={tokens} />}
            />
            <Stat
              label="Earned in all"
              value={<MintAmount raw={getWhole(exact, 'total')} mint={quoteMint} tokens={tokens} />}
              note="The creator’s share of what trades on the curve have paid."
            />
          </StatList>
          <p>
            <Link
              to="/playground/$operationId"
              params={{ operationId: 'CreateFeeClaim' }}
              search={{ body: JSON.stringify({ poolAddress: pool }) } as never}
            >
              Claim them in the playground
            </Link>
            , with the wallet of the creator.
          </p>
        </>
      )}
    </AnswerPanel>
  );
}

async function fetchFees(poolAddress: string, signal: AbortSignal) {
  const body = JSON.stringify({ poolAddress });
  const headers = { 'content-type': 'application/json' };
  const { response, text } = await fetchText(PATH, withApiKey({ method: 'POST', headers, body, signal }));
  return readRawAnswer({ side: 'public', path: PATH, body, response, text });
}
