import { formatDuration, formatUtcTime, toMachineTime } from '../../base/format-time.ts';

/** Below this, a time is now. */
const NOW_MS = 1_000;

/** How long ago something was, by the clock of the instance, with the time in its title. */
export function Since({
  at,
  now,
  before = '',
}: {
  readonly at: number;
  readonly now: number;
  readonly before?: string;
}) {
  const age = now - at;
  return (
    <time dateTime={toMachineTime(at)} title={formatUtcTime(at)} className="operate-time">
      {before}
      {age < NOW_MS ? 'now' : `${formatDuration(age)} ago`}
    </time>
  );
}
