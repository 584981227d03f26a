import { toHour } from '../store/totals/trading-periods.ts';
import type { RealizedHours } from '../store/totals/total-records.ts';
import type { PnlPoint, PnlRange } from './prediction-social.ts';

/**
 * Computes what had been realized in all at points that divide a range evenly. The last point is now, and the first is one step
 * after the beginning of the range. Within an hour nothing is told apart: a point has everything of the hour in which it lies.
 *
 * @param now - Unix seconds.
 */
export function computePnlPoints(
  { total, hours }: RealizedHours,
  { seconds, count }: PnlRange,
  now: number,
): readonly PnlPoint[] {
  const newestFirst = [...hours].sort(([one], [other]) => other - one);
  const points: PnlPoint[] = [];
  let realizedPnl = total;
  let next = 0;
  for (let before = 0; before < count; before++) {
    const at = now - Math.floor((seconds * before) / count);
    // The clock of a network can be set back, so that the last point has hours after it.
    for (; before > 0 && next < newestFirst.length; next++) {
      const [hour, realized] = newestFirst[next] ?? [0, 0n];
      if (hour <= toHour(at)) break;
      realizedPnl -= realized;
    }
    points.push({ at, realizedPnl });
  }
  return points.reverse();
}
