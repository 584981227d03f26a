import { stat } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import type { FileMark, MarkedFile, StartFile } from '../state/start-record.ts';
import { parseAddress } from '../../solana/address.ts';

/** Lists of pools and accounts can be long, and each of their files is looked at for every report. */
export const MAX_START_FILES = 200;

/** Returns the files that settings name and that only a start reads. */
export function listStartFiles(config: Config): readonly StartFile[] {
  const { sponsor, gas, custody, outside } = config;
  const named = (subject: string, path: string | null | undefined): StartFile[] =>
    path === null || path === undefined ? [] : [{ subject, path }];
  const keypair = (subject: string, source: Config['sponsor' | 'gas']['keypair']) =>
    source === null || source === 'own' ? [] : named(subject, source.file);
  const lists = (subject: string, texts: readonly string[]) =>
    texts.filter((text) => parseAddress(text) === null).flatMap((path) => named(subject, path));
  return [
    ...named('country-database', config.countryDatabase),
    ...named('network-database', config.networkDatabase),
    ...named('alerts-file', config.alertsFile),
    ...keypair('sponsor-keypair', sponsor.keypair),
    ...keypair('gas-keypair', gas.keypair),
    ...named('custody-key-file', custody.key !== null && 'file' in custody.key ? custody.key.file : null),
    ...named(
      'custody-previous-key-file',
      custody.previousKey !== null && 'file' in custody.previousKey ? custody.previousKey.file : null,
    ),
    ...lists('rpc-pool', outside?.pools ?? []),
    ...lists('rpc-lookup-table', outside?.lookupTables ?? []),
    ...config.programs.flatMap(({ file }) => named('program', file)),
    ...config.accountFiles.flatMap((file) => named('account', file)),
  ];
}

/** Looks at a file without opening it, so that no kind of file can make it wait. */
export async function readFileMark(path: string): Promise<FileMark> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return { key: [ino, size, mtimeMs, ctimeMs].join(' '), writtenAt: Math.round(mtimeMs) };
  } catch {
    return { key: null, writtenAt: null };
  }
}

/** Looks at files before they are read: one that is written meanwhile counts as written since. */
export function readFileMarks(files: readonly StartFile[]): Promise<readonly MarkedFile[]> {
  return Promise.all(
    files.slice(0, MAX_START_FILES).map(async (file) => ({ ...file, mark: await readFileMark(file.path) })),
  );
}
