import type { Config } from '../../config/config.ts';
import type { ProcessSettings } from '../../config/process-settings.ts';

/** A file that a start reads, and which is not read again until the next one. */
export interface StartFile {
  /** The setting that names it, or what it is in the data folder. */
  readonly subject: string;
  readonly path: string;
}

/** What tells whether a file was written, without reading it. */
export interface FileMark {
  /** Changes with every write. Null: there is no file, or it cannot be looked at. */
  readonly key: string | null;
  /** Unix milliseconds. */
  readonly writtenAt: number | null;
}

export interface MarkedFile extends StartFile {
  readonly mark: FileMark;
}

/** Finds files that a start could not use, of those that the names of settings choose. */
export type FindFileFaults = (
  config: Config,
  isConcerned: (setting: string) => boolean,
) => Promise<readonly { readonly name: string; readonly message: string }[]>;

/** What a process remembers of its start for the report of its settings. */
export interface StartRecord {
  readonly process: ProcessSettings;
  /** The version of the program that runs. */
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly configFile: FileMark;
  /** The files that settings name, as they were at the start. */
  readonly files: readonly MarkedFile[];
  readonly findFileFaults: FindFileFaults;
}
