import './stream-view.css';
import { memo, useState } from 'react';
import { formatWhole } from '../../../base/format-amount.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { EmptyNote } from '../../../parts/status.tsx';
import { MAX_EVENTS, type NumberedEvent, type StreamState } from '../request/use-sender.ts';
import { AnswerFacts } from './answer-facts.tsx';

/** The events that are drawn while others come. */
const MAX_LIVE = 50;

/** The events of a stream as they come, the newest first. */
export function StreamView({
  stream,
  onStop,
}: {
  readonly stream: StreamState;
  readonly onStop: () => void;
}) {
  const [paused, setPaused] = useState<readonly NumberedEvent[] | null>(null);
  const shown = stream.end === null ? (paused ?? stream.events) : stream.events;
  const isOpen = stream.end === null;
  // While events come, no more are drawn than can be seen: all of them would keep the page from answering.
  const drawn = isOpen && paused === null ? shown.slice(0, MAX_LIVE) : shown;
  const missed = stream.count - (shown[0]?.number ?? 0);
  return (
    <div className="stream-view">
      <AnswerFacts head={stream.head} size={null} />
      <div className="stream-view__bar">
        <Badge tone={isOpen ? 'good' : 'plain'}>
          {isOpen ? (paused === null ? 'live' : 'paused') : 'ended'}
        </Badge>
        <span className="stream-view__count">
          {formatWhole(stream.count)} {stream.count === 1 ? 'event' : 'events'}
          {stream.count > MAX_EVENTS ? `, the last ${MAX_EVENTS} are kept` : ''}
        </span>
        {isOpen ? (
          <>
            <Button onClick={() => setPaused(paused === null ? stream.events : null)}>
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
      {shown.length === 0 ? (
        <EmptyNote>{isOpen ? 'Connected. No event has come yet.' : 'No event has come.'}</EmptyNote>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="stream-view__events" aria-label="Events, the newest first" tabIndex={0}>
          <ol>
            {drawn.map((event) => (
              <StreamEvent key={event.number} event={event} />
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

/** Longer events are shown by their beginning; the whole can be copied. */
const MAX_EVENT_TEXT = 4_000;

const StreamEvent = memo(function StreamEvent({
  event: { number, type, data },
}: {
  readonly event: NumberedEvent;
}) {
  const isCut = data.length > MAX_EVENT_TEXT;
  return (
    <li className="stream-view__event">
      <span className="stream-view__number">{number}</span>
      {type === null || type === 'message' ? null : <Badge>{type.slice(0, 60)}</Badge>}
      <code>{isCut ? `${data.slice(0, MAX_EVENT_TEXT)} …` : data}</code>
      <CopyButton text={data} label={`Copy event ${number}`} />
    </li>
  );
});
