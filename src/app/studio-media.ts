import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { LaunchDirectory } from '../launches/launch.ts';
import { openStudioMedia, type StudioMedia } from '../studio/media/open-media.ts';
import { wasSubmitted } from '../studio/submissions/submitted-mints.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

const MIB = 1_024 * 1_024;

interface StudioMediaParts {
  readonly launches: Pick<LaunchDirectory, 'find'>;
  /** Returns the URL at which clients reach the gateway, without a path; null as long as it has none. */
  readonly getOrigin: () => string | null;
}

/** Opens the files of launches: in the data folder, or in the database where instances can share one. */
export async function openAppStudioMedia(
  { config, logger, toClose }: StartContext,
  { state }: Pick<LowerRooms, 'state'>,
  { launches, getOrigin }: StudioMediaParts,
): Promise<StudioMedia> {
  const media = await openStudioMedia({
    key: state.deriveKey('uploads of launches'),
    getOrigin,
    dataFolder: config.databaseUrl === null ? state.folder : null,
    store: state.store,
    maxBytes: config.studio.mediaMib * MIB,
    isLaunched: async (mint) => launches.find(mint) !== null || (await wasSubmitted(state.store.db, mint)),
    timers: SYSTEM_TIMERS,
    onDefect: (error) => logger.error({ err: error }, 'files of launches could not be removed'),
  });
  toClose(media.close);
  return media;
}
