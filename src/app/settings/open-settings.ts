import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBoundedFile } from '../../common/files/bounded-file.ts';
import { packageRoot } from '../../common/package.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Config } from '../../config/config.ts';
import { SECRET_TEXT_FILES } from '../../data-folder/secret-files.ts';
import type { SettingsReports } from '../../gateway/admin/settings/settings-endpoint.ts';
import type { Store } from '../../store/index.ts';
import { readSchemaVersion } from '../../store/migrate.ts';
import type { StartContext } from '../state/start-context.ts';
import type { InForceFacts } from './in-force.ts';
import { createSettingsReports } from './settings-report.ts';
import type { StartFile } from '../state/start-record.ts';
import { readFileMarks } from './watched-files.ts';

const MAX_PACKAGE_BYTES = 1 << 20;

/**
 * Opens the report of the settings, after the files of the data folder were read. Returns undefined when nothing was noted of the
 * start.
 */
export async function openSettingsReports(
  { config, start }: Pick<StartContext, 'config' | 'start'>,
  {
    folder,
    store,
    schemaVersion,
  }: {
    readonly folder: string;
    readonly store: Store;
    /** The version of the tables that this program knows. */
    readonly schemaVersion: number;
  },
  getFacts: () => InForceFacts,
): Promise<SettingsReports | undefined> {
  if (start === undefined) return undefined;
  return createSettingsReports({
    start,
    config,
    folderFiles: await readFileMarks(listFolderFiles(config, folder, getFacts().hasMasterKey)),
    getFacts,
    readVersionOnDisk,
    schema: { known: schemaVersion, read: () => readSchemaVersion(store.db) },
    timers: SYSTEM_TIMERS,
  });
}

/** The secrets of the data folder that no setting takes the place of. */
function listFolderFiles(config: Config, folder: string, hasMasterKey: boolean): readonly StartFile[] {
  const { operatorCredential, keySecret, custodyKey } = SECRET_TEXT_FILES;
  const inFolder = (name: string): StartFile => ({ subject: name, path: join(folder, name) });
  return [
    ...(config.adminCredential === null ? [inFolder(operatorCredential)] : []),
    ...(config.keySecret === null ? [inFolder(keySecret)] : []),
    ...(config.custody.key === null && hasMasterKey ? [inFolder(custodyKey)] : []),
  ];
}

/** The package may be replaced while it runs, also by something that is none. */
async function readVersionOnDisk(): Promise<string | null> {
  try {
    const path = fileURLToPath(new URL('package.json', packageRoot));
    const text = (await readBoundedFile(path, MAX_PACKAGE_BYTES)).toString('utf8');
    const { version } = JSON.parse(text) as { readonly version?: unknown };
    return typeof version === 'string' ? version.slice(0, 100) : null;
  } catch {
    return null;
  }
}
