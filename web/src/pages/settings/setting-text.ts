import { escapeInvisible } from '../../base/format-text.ts';
import type { SettingSourceView, SettingValue, SettingView } from './setting-shape.ts';

/** Says a value in words where it has none. Anything may stand in a value: it came from a file. */
export function formatSettingValue(value: SettingValue, { isSet }: { readonly isSet: boolean }): string {
  if (value === null) return isSet ? 'a secret that is not shown' : 'none';
  if (typeof value === 'object') return value.length === 0 ? 'none' : value.map(escapeInvisible).join('\n');
  return value === '' ? 'none' : escapeInvisible(String(value));
}

/** Says where a value comes from. */
export function describeSettingSource({ kind, name }: SettingSourceView): string {
  if (kind === 'default') return 'default';
  return `${kind} ${escapeInvisible(name)}`;
}

/** Which settings are listed. */
export type SettingChoice = 'all' | 'changed';

/** Returns the settings that a filter leaves: its words stand in the name, the description, the value or the source. */
export function filterSettings(
  settings: readonly SettingView[],
  { text, choice, group }: { readonly text: string; readonly choice: SettingChoice; readonly group: string },
): readonly SettingView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((setting) => {
    if (choice === 'changed' && setting.source.kind === 'default') return false;
    if (group !== '' && setting.group !== group) return false;
    const searched = toSearched(setting);
    return words.every((word) => searched.includes(word));
  });
}

function toSearched(setting: SettingView): string {
  const { name, description, flag, variables, value, source } = setting;
  return [name, description, flag, ...variables, formatSettingValue(value, setting), source.kind, source.name]
    .join('\n')
    .toLowerCase();
}

/** Returns the settings by their groups, in the order in which the groups occur. */
export function groupSettings(settings: readonly SettingView[]): ReadonlyMap<string, readonly SettingView[]> {
  const groups = new Map<string, SettingView[]>();
  for (const setting of settings) {
    const group = groups.get(setting.group);
    if (group === undefined) groups.set(setting.group, [setting]);
    else group.push(setting);
  }
  return groups;
}
