import { formatCounted } from '../../../base/count-words.ts';
import { useEffect, useState } from 'react';
import { type Scope, toScopePath } from '../../../api/scope.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { LiveFeed } from '../../../parts/live/live-feed.tsx';
import { useEventSource } from '../../../parts/live/use-event-source.ts';
import { useSampledFeed } from '../../../parts/live/use-sampled-feed.ts';
import { readLiveEntry, readLiveLines } from '../source/live-lines.ts';
import { formatLogQuery, type LogFilters } from '../source/log-search.ts';
import type { LoggedRequest } from '../source/log-shapes.ts';
import { LogLine } from './log-line.tsx';

/** Requests to this instance as they are answered. */
export function LiveLog({
  scope,
  filters,
  openId,
  onOpen,
}: {
  readonly scope: Scope;
  readonly filters: LogFilters;
  /** The id of the request that is open; null: none is. */
  readonly openId: string | null;
  readonly onOpen: (request: LoggedRequest) => void;
}) {
  const query = formatLogQuery(filters);
  const path = `${toScopePath(scope, '/log/live')}${query === '' ? '' : `?${query}`}`;
  const feed = useSampledFeed<unknown>();
  const [missed, setMissed] = useState(0);
  const [unreadable, setUnreadable] = useState(0);
  const [ended, setEnded] = useState<string | null>(null);
  const { clear } = feed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what other filters have shown is gone.
  useEffect(() => {
    clear();
    setMissed(0);
    setUnreadable(0);
    setEnded(null);
  }, [path, clear]);
  const source = useEventSource(
    path,
    (events) => {
      const batch = readLiveLines(events.map(({ data }) => data));
      feed.push(batch.entries);
      if (batch.missed > 0) setMissed((before) => before + batch.missed);
      if (batch.unreadable > 0) setUnreadable((before) => before + batch.unreadable);
      if (batch.ended !== ended) setEnded(batch.ended);
    },
    'admin',
  );
  return (
    <>
      {ended === null ? null : (
        <p className="log-note" role="status">
          The server ended the stream: {escapeInvisible(ended)}.
        </p>
      )}
      {missed === 0 ? null : (
        <p className="log-note">
          {formatCounted(missed, 'request is', 'requests are')} left out, because they came faster than this
          page took them. Those that the log keeps are in the list.
        </p>
      )}
      {unreadable === 0 ? null : (
        <p className="log-note">{formatCounted(unreadable, 'line')} of the stream cannot be read.</p>
      )}
      <LiveFeed
        label="Requests, the newest first"
        feed={feed}
        source={source}
        noun={['request', 'requests']}
        empty="No request has come yet. Those to this instance are shown here as they are answered."
        estimate={44}
        height="36rem"
        renderRow={(item) => {
          const request = readLiveEntry(item);
          if (request === null) return <p className="log-muted">A line that cannot be read.</p>;
          return (
            <LogLine request={request} isOpen={request.requestId === openId} onOpen={() => onOpen(request)} />
          );
        }}
      />
    </>
  );
}
