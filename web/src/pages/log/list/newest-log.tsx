import { formatCounted } from '../../../base/count-words.ts';
import { useMemo } from 'react';
import type { Scope } from '../../../api/scope.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { Button } from '../../../parts/button.tsx';
import { LiveList } from '../../../parts/live/live-list.tsx';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import type { TrafficRange } from '../../../parts/traffic/traffic-range.ts';
import type { LogFilters } from '../source/log-search.ts';
import type { LoggedRequest } from '../source/log-shapes.ts';
import { useLogPages } from '../source/use-log.ts';
import { LogLine } from './log-line.tsx';

/** Requests that a page keeps. Older ones are found by a range that ends earlier. */
const MAX_KEPT = 2_000;
const NO_REQUESTS: readonly LoggedRequest[] = [];

/** The log of a range, newest first. */
export function NewestLog({
  scope,
  filters,
  range,
  openId,
  onOpen,
}: {
  readonly scope: Scope;
  readonly filters: LogFilters;
  readonly range: TrafficRange;
  /** The id of the request that is open; null: none is. */
  readonly openId: string | null;
  readonly onOpen: (request: LoggedRequest) => void;
}) {
  const { data, error, refetch, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useLogPages(
    scope,
    filters,
    range,
  );
  const requests = useMemo(() => data?.pages.flatMap(({ page }) => page.entries) ?? NO_REQUESTS, [data]);
  const lines = useMemo(
    () => requests.map((item, index) => ({ number: requests.length - index, item })),
    [requests],
  );
  const dropped = data?.pages[0]?.page.dropped ?? 0;
  const isFull = requests.length >= MAX_KEPT;
  return (
    <div className="log-list">
      <div className="log-list__bar">
        <span>
          {data === undefined
            ? ''
            : `${formatWhole(requests.length)}${hasNextPage ? ' newest' : ''} ${requests.length === 1 ? 'request' : 'requests'}`}
        </span>
        <Button busy={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
          Read again
        </Button>
      </div>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="requests" />
        ) : null
      ) : requests.length === 0 ? (
        <NoRequests hasFilters={Object.keys(filters).length > 0} />
      ) : (
        <LiveList
          label="Requests, the newest first"
          lines={lines}
          estimate={44}
          height="40rem"
          renderRow={(request) => (
            <LogLine request={request} isOpen={request.requestId === openId} onOpen={() => onOpen(request)} />
          )}
        />
      )}
      {hasNextPage && !isFull ? (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older ones
        </Button>
      ) : null}
      {isFull ? (
        <p className="log-note">
          The page keeps {formatWhole(MAX_KEPT)} requests. For older ones, choose a range that ends earlier.
        </p>
      ) : null}
      {dropped === 0 ? null : (
        <p className="log-note">
          This instance dropped {formatCounted(dropped, 'entry', 'entries')} since it started, because too
          many waited to be written or too many requests were refused. They are not listed, and still count in
          usage and analytics.
        </p>
      )}
      <RawAnswer raw={data?.pages[0]?.raw} name="of the newest requests" />
    </div>
  );
}

function NoRequests({ hasFilters }: { readonly hasFilters: boolean }) {
  return (
    <EmptyNote>
      <p>{hasFilters ? 'No request of this range has all of these.' : 'No request came in this range.'}</p>
      <p>
        {hasFilters
          ? 'Remove a filter, or choose a longer range.'
          : 'Send one with a key, in the playground or with the command that the start prints, and read again.'}
      </p>
    </EmptyNote>
  );
}
