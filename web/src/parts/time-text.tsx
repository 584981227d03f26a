import './time-text.css';
import { formatDistance } from '../base/format-distance.ts';
import { formatUtcTime, toMachineTime } from '../base/format-time.ts';
import { useMinuteClock } from './use-minute-clock.ts';

/** A time in UTC, with how far it is from now below it. */
export function TimeText({ at }: { /** Unix milliseconds. */ readonly at: number }) {
  const now = useMinuteClock();
  return (
    <time className="time-text" dateTime={toMachineTime(at)}>
      <span>{formatUtcTime(at)}</span>
      <span className="time-text__distance">{formatDistance(at, now)}</span>
    </time>
  );
}
