import type { Config } from '../../config/config.ts';
import type { FindFileFaults, StartFile } from '../state/start-record.ts';
import { readFileMarks } from './watched-files.ts';

type FileFault = Awaited<ReturnType<FindFileFaults>>[number];

export interface FaultQuestion {
  /** The settings whose files are checked. */
  readonly concerned: ReadonlySet<string>;
  /** The files that settings name. */
  readonly named: readonly StartFile[];
  /** Changes with every write of the file of the settings. */
  readonly settingsKey: string | null;
}

/**
 * Remembers what is wrong with files, so that each is read once for each time that it was written: a database of networks is
 * large, and the requests of clients wait while it is read.
 */
export class FileFaults {
  readonly #find: FindFileFaults;
  readonly #known = new Map<string, { readonly key: string; readonly faults: readonly FileFault[] }>();

  constructor(find: FindFileFaults) {
    this.#find = find;
  }

  /** Finds what is wrong with the files of some settings, and with the certificates, whose time also runs out. */
  async find(
    config: Config,
    { concerned, named, settingsKey }: FaultQuestion,
  ): Promise<readonly FileFault[]> {
    const marked = await readFileMarks(named.filter(({ subject }) => concerned.has(subject)));
    const keys = new Map(
      [...concerned].map((setting) => {
        const files = marked.filter(({ subject }) => subject === setting);
        return [setting, JSON.stringify([settingsKey, files.map(({ path, mark }) => [path, mark.key])])];
      }),
    );
    const unread = new Set(
      [...keys].flatMap(([setting, key]) => (this.#isKnown(setting, key) ? [] : [setting])),
    );
    const found = await this.#find(config, (setting) => setting.endsWith('tls-cert') || unread.has(setting));
    for (const [setting, key] of keys) {
      if (unread.has(setting))
        this.#known.set(setting, { key, faults: found.filter(({ name }) => name === setting) });
    }
    const remembered = [...concerned].filter((setting) => !unread.has(setting));
    return [...found, ...remembered.flatMap((setting) => this.#known.get(setting)?.faults ?? [])];
  }

  #isKnown(setting: string, key: string): boolean {
    return this.#known.get(setting)?.key === key;
  }
}
