import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { openStudioMedia, type StudioMedia } from '../studio/media/open-media.ts';
import { findLanded } from '../studio/submissions/landed-launches.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

const MIB = 1_024 * 1_024;

interface StudioMediaParts {
  readonly metrics: Metrics;
  /** Returns the URL at which clients reach the gateway, without a path; null as long as it has none. */
  readonly getOrigin: () => string | null;
}

/** Opens the files of launches: in the data folder, or in the database where instances can share one. */
export async function openAppStudioMedia(
  { config, logger, toClose }: StartContext,
  { state, market: { chain } }: Pick<LowerRooms, 'state' | 'market'>,
  { metrics, getOrigin }: StudioMediaParts,
): Promise<StudioMedia> {
  const media = await openStudioMedia({
    key: state.deriveKey('uploads of launches'),
    getOrigin,
    dataFolder: config.databaseUrl === null ? state.folder : null,
    store: state.store,
    maxBytes: config.studio.mediaMib * MIB,
    findLaunched: (mints) => findLanded({ chain, db: state.store.db }, mints),
    timers: SYSTEM_TIMERS,
    metrics,
    onDefect: (error) => logger.error({ err: error }, 'files of launches could not be removed'),
  });
  toClose(media.close);
  return media;
}
