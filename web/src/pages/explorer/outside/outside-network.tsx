import { useQuery } from '@tanstack/react-query';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { checkOutsideRpc, type OutsideCheck } from './outside-checks.ts';

/** What the outside RPC answers, which is checked on request, and what pages never ask it for. */
export function OutsideNetwork() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['outside-checks'],
    queryFn: () => checkOutsideRpc(),
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Panel title="What this RPC lets you see">
      <p>
        This gateway runs over an outside RPC. Its pages show what that RPC answers, one thing at a time and
        within a budget, because calls cost the operator. They never search all accounts of a program (
        <code>getProgramAccounts</code>), and they do not list the transactions of whole blocks with their
        results. What the RPC refuses is said in its words, where it would be shown.
      </p>
      {data !== undefined ? (
        <DataTable
          caption="What the RPC answers"
          columns={COLUMNS}
          rows={data}
          rowKey={({ method }) => method}
        />
      ) : isFetching ? (
        <Loading what="what the RPC answers" />
      ) : error === null ? null : (
        <ErrorNote error={error} />
      )}
      <p>
        <Button onClick={() => void refetch()} disabled={isFetching}>
          {data === undefined ? 'Check what it answers (7 calls)' : 'Check again'}
        </Button>
      </p>
    </Panel>
  );
}

const COLUMNS: readonly TableColumn<OutsideCheck>[] = [
  { heading: 'To show', cell: ({ what }) => what },
  { heading: 'Method', cell: ({ method }) => <code>{method}</code> },
  {
    heading: 'Answer',
    cell: ({ refusal }) =>
      refusal === null ? (
        <Badge tone="good">answers</Badge>
      ) : (
        <>
          <Badge tone="danger">refuses</Badge> {escapeInvisible(refusal)}
        </>
      ),
  },
];
