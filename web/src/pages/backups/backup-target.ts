import { saveFile } from '../../base/save-file.ts';

/** Where a backup is written while it arrives. */
export interface BackupTarget {
  /** Whether it goes straight to the disk. Otherwise the page holds all of it until it is complete. */
  readonly streams: boolean;
  readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Gives the file its name. */
  readonly finish: () => Promise<void>;
  /** Leaves nothing behind. */
  readonly discard: () => Promise<void>;
}

/** The part of the File System Access API that is used; not every browser has it. */
interface FilePicking {
  readonly showSaveFilePicker?: (options: object) => Promise<{
    readonly createWritable: () => Promise<{
      readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>;
      readonly close: () => Promise<void>;
      readonly abort: () => Promise<void>;
    }>;
  }>;
}

/** The most that a page holds in memory for a browser that does not let it write to the disk. */
export const MAX_HELD_BYTES = 512 * 2 ** 20;

/** Whether this browser lets a page write to a file while the backup arrives. Over plain HTTP from another machine it does not. */
export function canStreamToDisk(): boolean {
  return typeof (globalThis as FilePicking).showSaveFilePicker === 'function';
}

/**
 * Asks where to save a backup. The browser asks only as the answer to a press of a button.
 *
 * @returns null if the question was dismissed
 */
export async function chooseBackupTarget(name: string): Promise<BackupTarget | null> {
  const { showSaveFilePicker } = globalThis as FilePicking;
  if (showSaveFilePicker === undefined) return createHeldTarget((content) => saveFile(content, name));
  try {
    const handle = await showSaveFilePicker.call(globalThis, {
      suggestedName: name,
      types: [{ description: 'Backup of Sluice', accept: { 'application/gzip': ['.tgz'] } }],
    });
    // The browser writes to a file beside it, which gets its name when it is closed.
    const file = await handle.createWritable();
    return {
      streams: true,
      write: (chunk) => file.write(chunk),
      finish: () => file.close(),
      discard: () => file.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

/** @param save - Called with the whole backup once it is complete. */
export function createHeldTarget(
  save: (content: Blob) => void,
  maxBytes: number = MAX_HELD_BYTES,
): BackupTarget {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  return {
    streams: false,
    write: async (chunk) => {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new BackupTooLarge(maxBytes);
      chunks.push(chunk);
    },
    finish: async () => {
      save(new Blob(chunks, { type: 'application/gzip' }));
      chunks = [];
    },
    discard: async () => {
      chunks = [];
    },
  };
}

/** The backup is larger than a page may hold. */
export class BackupTooLarge extends Error {
  constructor(maxBytes: number) {
    super(
      `The backup is larger than the ${Math.round(maxBytes / 2 ** 20)} MiB that a page holds in this browser. Make it with sluice backup on the machine of the instance, or with a browser that lets a page save while it loads, such as Chrome or Edge.`,
    );
  }
}
