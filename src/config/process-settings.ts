import type { LoadedSettings } from './load.ts';

/** The settings that a process was started with, and how it would read them at its next start. */
export interface ProcessSettings {
  readonly loaded: LoadedSettings;
  /** The folder from which relative paths start. */
  readonly cwd: string;
  /** Reads them again. @throws ConfigInvalid with everything for which the start would be refused */
  readonly readAgain: () => Promise<LoadedSettings>;
}
