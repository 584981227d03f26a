import type { Counter, Metrics } from '../../common/ports/metrics.ts';
import type { MediaUsage } from './media.ts';

/** What is counted of the files of launches. */
export interface MediaMetrics {
  /** By `outcome`, a `PutOutcome`. */
  readonly uploads: Counter;
  readonly removed: Counter;
}

/** @param measure - Asked whenever the metrics are read. */
export function createMediaMetrics(metrics: Metrics, measure: () => Promise<MediaUsage>): MediaMetrics {
  metrics.gauge(
    'sluice_studio_files_bytes',
    'Bytes that the files of launches take, by whether the launch has landed.',
    async () => {
      const { all, pending } = await measure();
      return [
        { labels: { state: 'kept' }, value: all - pending },
        { labels: { state: 'pending' }, value: pending },
      ];
    },
    ['state'],
  );
  return {
    uploads: metrics.counter(
      'sluice_studio_uploads_total',
      'Files of launches that were sent to this instance, by what became of them.',
      ['outcome'],
    ),
    removed: metrics.counter(
      'sluice_studio_files_removed_total',
      'Files that this instance has removed because their launch had not landed.',
    ),
  };
}
