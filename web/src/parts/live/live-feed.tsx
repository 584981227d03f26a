import './live.css';
import type { ReactNode } from 'react';
import { formatWhole } from '../../base/format-amount.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Badge } from '../badge.tsx';
import { Button } from '../button.tsx';
import { EmptyNote } from '../status.tsx';
import { describeSampling } from './feed-sampler.ts';
import { LiveList } from './live-list.tsx';
import type { EventSourceState } from './use-event-source.ts';
import type { SampledFeed } from './use-sampled-feed.ts';

/** A feed with its state, a button that pauses it, and its newest lines as a list. */
export function LiveFeed<Item>({
  label,
  feed,
  source,
  renderRow,
  noun = ['line', 'lines'],
  empty = 'Nothing has come yet.',
  estimate,
  height,
}: {
  /** The accessible name of the list. */
  readonly label: string;
  readonly feed: SampledFeed<Item>;
  /** Where the lines come from. */
  readonly source: EventSourceState;
  readonly renderRow: (item: Item, number: number) => ReactNode;
  /** What one line is called, and several. Default: line, lines. */
  readonly noun?: readonly [one: string, several: string];
  readonly empty?: ReactNode;
  /** As of `LiveList`. */
  readonly estimate?: number;
  readonly height?: string;
}) {
  const { sample, isPaused, setPaused, missed } = feed;
  const sampling = describeSampling(sample);
  return (
    <div className="live-feed">
      <div className="live-feed__bar">
        <SourceBadge source={source} isPaused={isPaused} />
        <span>
          {formatWhole(sample.total)} {sample.total === 1 ? noun[0] : noun[1]}
          {sampling === null ? '' : `, ${sampling}`}
        </span>
        <Button onClick={() => setPaused(!isPaused)}>
          {isPaused ? `Go on${missed > 0 ? ` (${formatWhole(missed)} new)` : ''}` : 'Pause'}
        </Button>
        {'reason' in source ? <span role="status">{escapeInvisible(source.reason)}</span> : null}
      </div>
      {sample.lines.length === 0 ? (
        <EmptyNote>{empty}</EmptyNote>
      ) : (
        <LiveList
          label={label}
          lines={sample.lines}
          renderRow={renderRow}
          {...(estimate === undefined ? {} : { estimate })}
          {...(height === undefined ? {} : { height })}
        />
      )}
    </div>
  );
}

/** A word on how a stream is. */
function SourceBadge({
  source,
  isPaused,
}: {
  readonly source: EventSourceState;
  readonly isPaused: boolean;
}) {
  if (isPaused) return <Badge>paused</Badge>;
  if (source.kind === 'open') return <Badge tone="good">live</Badge>;
  if (source.kind === 'refused') return <Badge tone="danger">refused</Badge>;
  return <Badge tone="warning">{source.kind === 'waiting' ? 'connecting again' : source.kind}</Badge>;
}
