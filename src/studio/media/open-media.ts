import { join } from 'node:path';
import type { Party } from '../../common/party.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatWithPauses, type Timers } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { DatabaseMediaStore } from './database-media-store.ts';
import { FolderMediaStore } from './folder-media-store.ts';
import { findImageType } from './image-type.ts';
import { MediaLibrary } from './media-library.ts';
import { UploadLinks, type UploadLinksOptions } from './upload-links.ts';

/** The folder of the files within the data folder. */
const FOLDER = 'media';
const SWEEP_PAUSE_MS = 60 * 60_000;

export interface StudioMediaOptions extends Omit<UploadLinksOptions, 'now'> {
  /** The data folder, in which the files are kept; null: they are kept in the database, which other instances share. */
  readonly dataFolder: string | null;
  readonly store: Store;
  /** The room for all files, in bytes. */
  readonly maxBytes: number;
  /** Returns those of the mints whose launch has landed. Fails if that cannot be known now. */
  readonly findLaunched: (mints: readonly Address[]) => Promise<ReadonlySet<Address>>;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Called when files could not be removed. They are tried again later. */
  readonly onDefect: (error: unknown) => void;
}

/** The files of launches. */
export interface StudioMedia {
  readonly library: Pick<MediaLibrary, 'find' | 'put'>;
  readonly links: UploadLinks;
  /**
   * Stores the header image of a page. One that the page has already stays. `full`: there is no room.
   * @throws Error if `findHeaderFault` says what is wrong with it
   */
  readonly putHeader: (mint: Address, bytes: Uint8Array, caller: Party) => Promise<'stored' | 'full'>;
  readonly removeHeader: (mint: Address) => Promise<void>;
  readonly close: () => void;
}

/** Opens the files of launches. Those of tokens that were never launched are removed, now and every hour. */
export async function openStudioMedia(options: StudioMediaOptions): Promise<StudioMedia> {
  const { dataFolder, store, maxBytes, findLaunched, timers, metrics, onDefect } = options;
  const now = () => timers.now();
  const library = new MediaLibrary({
    store:
      dataFolder === null
        ? new DatabaseMediaStore(store)
        : await FolderMediaStore.open(join(dataFolder, FOLDER), now),
    maxBytes,
    findLaunched,
    now,
    metrics,
  });
  library.sweep().catch(onDefect);
  const links = new UploadLinks({ key: options.key, getOrigin: options.getOrigin, now });
  return {
    library,
    links,
    putHeader: async (mint, bytes, caller) => {
      const contentType = findImageType(bytes);
      if (contentType === null) throw new Error('the header image of a page is no image');
      const uploader = links.getUploader(caller);
      const outcome = await library.put({ kind: 'header', mint, contentType, bytes, uploader });
      return outcome === 'full' ? 'full' : 'stored';
    },
    removeHeader: (mint) => library.remove({ kind: 'header', mint }),
    close: repeatWithPauses(SWEEP_PAUSE_MS, () => library.sweep(), timers, onDefect),
  };
}
