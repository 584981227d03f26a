import { parseArgs } from 'node:util';
import { formatHint } from '../../config/problems/problems.ts';
import { isBoolean } from '../../config/render.ts';
import { toFlag } from '../../config/settings/kinds/setting.ts';
import { SETTING_NAMES, type SettingName } from '../../config/settings/settings.ts';
import type { FlagTexts } from '../../config/sources.ts';
import type { CommandFlag } from './command.ts';

export interface CommandLine {
  /** The arguments that are not flags. The first ones are the name of the command. */
  readonly words: readonly string[];
  readonly flags: FlagTexts;
  /** Values of the flags that belong to single commands, by name. */
  readonly commandFlags: ReadonlyMap<string, string>;
  readonly file: string | null;
  /** A sentence for each unknown flag. They are reported together with the problems of the settings. */
  readonly unknownFlags: readonly string[];
  readonly help: boolean;
  readonly version: boolean;
}

/** Thrown when the command line is wrong. The message says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const OWN_FLAGS = ['config', 'help', 'version'] as const;

/** @throws UsageError for a flag without its value, or one that is given twice. */
export function parseCommandLine(
  args: readonly string[],
  commandFlags: readonly CommandFlag[] = [],
): CommandLine {
  const booleans = SETTING_NAMES.filter(isBoolean);
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
      config: { type: 'string' },
      ...Object.fromEntries(
        commandFlags.map(({ name, short, allowed }) => [
          name,
          {
            type: allowed === null ? 'boolean' : 'string',
            ...(short === undefined ? {} : { short }),
          } as const,
        ]),
      ),
      ...Object.fromEntries(
        SETTING_NAMES.map((name) => [
          name,
          { type: booleans.includes(name) ? 'boolean' : 'string' } as const,
        ]),
      ),
    },
  });
  const words: string[] = [];
  const flags = new Map<SettingName, string[]>();
  const ofCommand = new Map<string, string>();
  let file: string | null = null;
  const own = new Set<string>();
  const unknownFlags: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const known = commandFlags.find((flag) => flag.name === token.name);
    if (known !== undefined) {
      ofCommand.set(
        token.name,
        known.allowed === null ? readSwitch(token) : readCommandFlag(token, ofCommand),
      );
      continue;
    }
    if (!isKnown(token, booleans)) {
      unknownFlags.push(describeUnknownFlag(token.rawName, commandFlags));
      continue;
    }
    const { name, value } = readFlag(token, booleans);
    if (name === 'config') {
      if (file !== null) throw new UsageError('flag --config was given twice; give it once');
      file = value;
    } else if (name === 'help' || name === 'version') own.add(name);
    else flags.set(name, [...(flags.get(name) ?? []), value]);
  }
  return {
    words,
    flags,
    commandFlags: ofCommand,
    file,
    unknownFlags,
    help: own.has('help'),
    version: own.has('version'),
  };
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function readCommandFlag({ name, rawName, value }: FlagToken, given: ReadonlyMap<string, string>): string {
  if (given.has(name)) throw new UsageError(`flag ${rawName} was given twice; give it once`);
  if (value === undefined || value === '') throw needsValue(rawName);
  return value;
}

function readSwitch({ rawName, value }: FlagToken): string {
  if (value !== undefined) throw new UsageError(`flag ${rawName} takes no value`);
  return 'true';
}

function readFlag(
  { name, rawName, value }: FlagToken,
  booleans: readonly SettingName[],
): { name: SettingName | (typeof OWN_FLAGS)[number]; value: string } {
  const negated = booleans.find((boolean) => rawName === `--no-${boolean}`);
  if (negated !== undefined && value === undefined) return { name: negated, value: 'false' };
  const own = OWN_FLAGS.find((flag) => flag === name);
  if (own === 'help' || own === 'version') {
    if (value !== undefined) throw new UsageError(`flag ${rawName} takes no value`);
    return { name: own, value: 'true' };
  }
  const known = own ?? SETTING_NAMES.find((setting) => setting === name);
  if (known === undefined) throw new Error(`${rawName} was not looked up`);
  if (value !== undefined) return { name: known, value };
  if (booleans.some((boolean) => boolean === known)) return { name: known, value: 'true' };
  throw needsValue(rawName);
}

function needsValue(rawName: string): UsageError {
  return new UsageError(`flag ${rawName} needs a value, as in ${rawName} VALUE or ${rawName}=VALUE`);
}

function isKnown({ name, rawName, value }: FlagToken, booleans: readonly SettingName[]): boolean {
  if (value === undefined && booleans.some((boolean) => rawName === `--no-${boolean}`)) return true;
  return [...OWN_FLAGS, ...SETTING_NAMES].some((known) => known === name);
}

function describeUnknownFlag(rawName: string, commandFlags: readonly CommandFlag[]): string {
  const flags = [...OWN_FLAGS, ...SETTING_NAMES, ...commandFlags.map(({ name }) => name)].map(toFlag);
  return `${rawName} is not a flag${formatHint(rawName, flags)}`;
}
