import { formatCounted } from '../../../base/count-words.ts';
import './stream-view.css';
import { useState } from 'react';
import { formatWhole } from '../../../base/format-amount.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { describeSampling } from '../../../parts/live/feed-sampler.ts';
import { LiveList } from '../../../parts/live/live-list.tsx';
import { EmptyNote } from '../../../parts/status.tsx';
import type { FeedEvent } from '../../../openapi/streams/event-feed.ts';
import { MAX_EVENTS, type StreamState } from '../request/use-sender.ts';
import { AnswerFacts } from './answer-facts.tsx';

/** The events of a stream as they come, the newest first. */
export function StreamView({
  stream,
  onStop,
}: {
  readonly stream: StreamState;
  readonly onStop: () => void;
}) {
  const [paused, setPaused] = useState<StreamState['sample'] | null>(null);
  const isOpen = stream.end === null;
  const shown = isOpen ? (paused ?? stream.sample) : stream.sample;
  const missed = stream.sample.total - shown.total;
  return (
    <div className="stream-view">
      <AnswerFacts head={stream.head} size={null} />
      <div className="stream-view__bar">
        <Badge tone={isOpen ? 'good' : 'plain'}>
          {isOpen ? (paused === null ? 'live' : 'paused') : 'ended'}
        </Badge>
        <span className="stream-view__count">{describeCount(stream.sample)}</span>
        {isOpen ? (
          <>
            <Button onClick={() => setPaused(paused === null ? stream.sample : null)}>
              {paused === null ? 'Pause' : `Go on${missed > 0 ? ` (${formatWhole(missed)} new)` : ''}`}
            </Button>
            <Button onClick={onStop}>Stop</Button>
          </>
        ) : null}
      </div>
      {stream.end === null ? null : (
        <p className="stream-view__end" role="status">
          {stream.end}
        </p>
      )}
      {shown.lines.length === 0 ? (
        <EmptyNote>{isOpen ? 'Connected. No event has come yet.' : 'No event has come.'}</EmptyNote>
      ) : (
        <LiveList
          label="Events, the newest first"
          lines={shown.lines}
          renderRow={(event, number) => <StreamEvent event={event} number={number} />}
          height="32rem"
        />
      )}
    </div>
  );
}

function describeCount(sample: StreamState['sample']): string {
  const { total } = sample;
  const sampling = describeSampling(sample);
  return [
    formatCounted(total, 'event'),
    ...(total > MAX_EVENTS ? [`the last ${formatWhole(MAX_EVENTS)} are kept`] : []),
    ...(sampling === null ? [] : [sampling]),
  ].join(', ');
}

/** Longer events are shown by their beginning; the whole can be copied. */
const MAX_EVENT_TEXT = 4_000;

function StreamEvent({
  event: { type, data },
  number,
}: {
  readonly event: FeedEvent;
  readonly number: number;
}) {
  const isCut = data.length > MAX_EVENT_TEXT;
  return (
    <div className="stream-view__event">
      <span className="stream-view__number">{number}</span>
      {type === null || type === 'message' ? null : <Badge>{type.slice(0, 60)}</Badge>}
      <code>{isCut ? `${data.slice(0, MAX_EVENT_TEXT)} …` : data}</code>
      <CopyButton text={data} label={`Copy event ${number}`} />
    </div>
  );
}
