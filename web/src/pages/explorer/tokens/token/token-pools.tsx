import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callApi } from '../../../../api/call.ts';
import { usePace } from '../../../../api/pace.ts';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { readPoolList } from '../../pools/data/pool-shape.ts';
import { PoolTable } from '../../pools/list/pool-table.tsx';

const LISTED = 20;
const REFRESH_MS = 5_000;

/** The pools that trade a token, those with most in them first. */
export function TokenPools({ mint }: { readonly mint: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['pools-of-token', mint],
    queryFn: async ({ signal }) =>
      readPoolList(
        await callApi(`/portal/data/pools?${new URLSearchParams({ mint, limit: String(LISTED) })}`, {
          signal,
        }),
      ),
    refetchInterval: usePace(REFRESH_MS),
  });
  if (data === undefined) {
    return error === null ? (
      <Loading what="pools" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.pools.length === 0) return <EmptyNote>No pool that this gateway follows trades it.</EmptyNote>;
  return (
    <>
      <PoolTable pools={data.pools} />
      {data.total > data.pools.length ? (
        <p>
          <Link to="/explorer/pools" search={{ query: mint }}>
            All {data.total} pools of the token
          </Link>
        </p>
      ) : null}
    </>
  );
}
