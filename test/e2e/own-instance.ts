import { onFailedWait } from '../../src/testing/waits.ts';
import { Instance } from './instance.ts';

export interface OwnInstanceOptions {
  /**
   * Why the test cannot use a shared instance (`useInstance`), which costs no start: `is killed`, for example. It is for readers
   * of the test.
   */
  readonly reason: string;
  /** The flags of `sluice start`. */
  readonly flags: readonly string[];
  /** The working directory, in which the data folder is unless a flag says otherwise. */
  readonly folder: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Starts an instance that no other test uses. Until it is stopped, a wait that fails shows its last lines. */
export function startOwnInstance({ flags, folder, environment }: OwnInstanceOptions): Instance {
  return new OwnInstance(['start', ...flags], folder, environment);
}

class OwnInstance extends Instance {
  readonly #endReports = onFailedWait(() => this.describe());

  override async stop(): Promise<void> {
    await super.stop();
    this.#endReports();
  }
}
