import { resolve } from 'node:path';
import { Type } from 'typebox';
import type { SettingValues } from '../kinds/fields.ts';
import { repeatable } from '../kinds/kinds.ts';
import { setting } from '../kinds/setting.ts';

/** The master key that the keys of vaults are encrypted with, and the one before it while they are put under a new one. */
export const CUSTODY_SETTINGS = {
  'custody-key': keyText(
    'Master key that the keys of vaults are encrypted with: 32 bytes in hexadecimal or base64. It must be the same for every instance on one database.',
  ),
  'custody-key-file': keyFile(
    'File with the master key, in the form of `custody-key`. Empty, and nothing else names the key: the file `custody-key` in `data-dir`, which is made at the first start; with `production`, none, and there are no orders that wait.',
  ),
  'custody-key-command': keyCommand(
    'Program that prints the master key, in the form of `custody-key`, and its arguments, one by one: such as a client of a key management service. It runs once at the start, without a shell.',
  ),
  'custody-previous-key': keyText(
    'Master key from before, which is accepted too while `sluice vault rotate` puts all keys under the new one.',
  ),
  'custody-previous-key-file': keyFile('File with the master key from before. Empty: none.'),
  'custody-previous-key-command': keyCommand(
    'Program that prints the master key from before, and its arguments, one by one.',
  ),
};

/** Where a master key comes from. */
export type NamedMasterKey =
  | { readonly text: string }
  | { readonly file: string }
  | { readonly command: readonly string[] };

export interface CustodyConfig {
  /** Null when no setting names it. */
  readonly key: NamedMasterKey | null;
  /** Null when no rotation is under way. */
  readonly previousKey: NamedMasterKey | null;
}

type CustodySettings = SettingValues<typeof CUSTODY_SETTINGS>;

/** @param cwd - The folder from which relative paths start. */
export function toCustodyConfig(settings: CustodySettings, cwd: string): CustodyConfig {
  const {
    'custody-key': text,
    'custody-key-file': file,
    'custody-key-command': command,
    'custody-previous-key': previousText,
    'custody-previous-key-file': previousFile,
    'custody-previous-key-command': previousCommand,
  } = settings;
  return {
    key: findNamedKey(text, file, command, cwd),
    previousKey: findNamedKey(previousText, previousFile, previousCommand, cwd),
  };
}

function findNamedKey(
  text: string,
  file: string,
  command: readonly string[],
  cwd: string,
): NamedMasterKey | null {
  if (text !== '') return { text };
  if (file !== '') return { file: resolve(cwd, file) };
  return command.length > 0 ? { command } : null;
}

const KEY_SOURCES = ['custody-key', 'custody-key-file', 'custody-key-command'] as const;
const PREVIOUS_KEY_SOURCES = [
  'custody-previous-key',
  'custody-previous-key-file',
  'custody-previous-key-command',
] as const;

/** Returns the contradictions between these settings, one sentence each. */
export function findCustodyContradictions(
  settings: CustodySettings,
  sources: Readonly<Record<string, string>>,
): string[] {
  const problems: string[] = [];
  for (const names of [KEY_SOURCES, PREVIOUS_KEY_SOURCES]) {
    const given = names.filter((name) => settings[name].length > 0);
    const [first, second] = given;
    if (first === undefined || second === undefined) continue;
    problems.push(
      `${first} from ${sources[first]} and ${second} from ${sources[second]} both name a master key; give one of them`,
    );
  }
  return problems;
}

function keyText(description: string) {
  return setting(Type.String({ default: '', description: `${description} Empty: none is given here.` }), {
    allowed: '32 bytes, as 64 hexadecimal digits or in base64',
    accepts: (text) => text === '' || /^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/.test(text.trim()),
    secret: true,
    field: null,
  });
}

function keyFile(description: string) {
  return setting(Type.String({ default: '', description }), { allowed: 'the path of a file', field: null });
}

function keyCommand(description: string) {
  return setting(repeatable(description, 64), { allowed: 'a program and its arguments', field: null });
}
