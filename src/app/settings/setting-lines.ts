import type { LoadedSettings } from '../../config/load.ts';
import { getDefault, listVariables, type Setting, toFlag } from '../../config/settings/kinds/setting.ts';
import { SETTING_GROUPS } from '../../config/settings/setting-groups.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../config/settings/settings.ts';
import { getJsonType } from '../../common/typed-text.ts';
import type { SettingLine } from '../../gateway/admin/settings/settings-schema.ts';

type ShownValue = SettingLine['value'];
type SettingSource = SettingLine['source'];

/** What the lines of the settings are made of. */
export interface SettingsReading {
  readonly now: LoadedSettings;
  /** What the next start would read. Null when it would be refused. */
  readonly next: LoadedSettings | null;
  /** Whether the configuration file was written since the start. */
  readonly fileWritten: boolean;
  /** What holds in this process where the value does not say it. */
  readonly inForce: ReadonlyMap<SettingName, string>;
}

/** Returns a line for every setting. The value of a secret is in none of them. */
export function toSettingLines({ now, next, fileWritten, inForce }: SettingsReading): SettingLine[] {
  return SETTING_NAMES.map((name) => {
    const setting = SETTINGS[name] as Setting;
    const { schema, allowed, secret } = setting;
    const group = SETTING_GROUPS.get(name);
    return {
      name,
      group: group?.name ?? '',
      docs: group?.docs ?? '',
      description: 'description' in schema ? String(schema.description) : '',
      allowed,
      kind: getSettingKind(schema),
      flag: toFlag(name),
      variables: [...listVariables(name, setting)],
      secret,
      ...describe(now, name),
      default: toShown(getDefault(setting)),
      inForce: inForce.get(name) ?? null,
      restart: next === null ? null : describeRestart({ now, next, fileWritten }, name),
    };
  });
}

function describe({ settings, sources }: LoadedSettings, name: SettingName) {
  const setting = SETTINGS[name] as Setting;
  return {
    value: setting.secret ? null : toShown(settings[name]),
    isSet: !isEqual(settings[name], getDefault(setting)),
    source: parseSource(sources[name]),
  };
}

/**
 * Returns what a restart would change of a setting. Whether two values of a secret are equal is not told, not even to the operator:
 * whoever may write the file and ask for the report could try values until one is. So a secret is compared by where it comes from,
 * and by whether its file was written.
 */
function describeRestart(
  { now, next, fileWritten }: Omit<SettingsReading, 'next' | 'inForce'> & { readonly next: LoadedSettings },
  name: SettingName,
): SettingLine['restart'] {
  const after = describe(next, name);
  const isElsewhere = now.sources[name] !== next.sources[name];
  if (SETTINGS[name].secret) {
    if (isElsewhere) return { change: 'source', ...after };
    return fileWritten && after.source.kind === 'file' ? { change: 'unknown', ...after } : null;
  }
  if (!isEqual(now.settings[name], next.settings[name])) return { change: 'value', ...after };
  return isElsewhere ? { change: 'source', ...after } : null;
}

function parseSource(text: string): SettingSource {
  const [, kind, name] = /^(flag|environment variable|file) (.*)$/s.exec(text) ?? [];
  if (kind === undefined || name === undefined) return { kind: 'default', name: '' };
  return { kind: kind === 'environment variable' ? 'variable' : (kind as 'flag' | 'file'), name };
}

function getSettingKind(schema: object): SettingLine['kind'] {
  const type = getJsonType(schema);
  if (type === 'boolean') return 'switch';
  if (type === 'array') return 'list';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
}

function toShown(value: unknown): ShownValue {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
