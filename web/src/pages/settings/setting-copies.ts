import { toShellWord } from '../../base/shell-word.ts';
import type { SettingView } from './setting-shape.ts';

/** The settings that were given, in the two forms in which they can be given again. */
export interface SettingCopies {
  /** The content of a configuration file. */
  readonly file: string;
  /** The flags of a command, one a line. */
  readonly flags: string;
  /** The names of secrets that were given, which are in neither. */
  readonly secrets: readonly string[];
}

/** Writes the settings that were given, wherever they come from, without the secrets. */
export function copySettings(settings: readonly SettingView[]): SettingCopies {
  const given = settings.filter(({ source }) => source.kind !== 'default');
  const shown = given.filter(({ secret, value }) => !secret && value !== null);
  const values = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
  return {
    file: `${JSON.stringify(values, null, 2)}\n`,
    flags: ['sluice start', ...shown.flatMap(toFlags)].join(' \\\n  '),
    secrets: given.filter(({ secret }) => secret).map(({ name }) => name),
  };
}

function toFlags({ flag, value }: SettingView): readonly string[] {
  if (typeof value === 'boolean') return [value ? flag : `--no-${flag.slice(2)}`];
  const values = typeof value === 'object' && value !== null ? value : [String(value)];
  // A text that begins with a hyphen would be taken for a flag.
  return values.map((each) => `${flag}=${toShellWord(each)}`);
}
