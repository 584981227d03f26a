import type { SettingValue } from './setting-shape.ts';
import { formatSettingValue } from './setting-text.ts';

/** A value as it would be given, or in words where there is none. */
export function SettingValueText({
  value,
  isSet,
  kind,
}: {
  readonly value: SettingValue;
  readonly isSet: boolean;
  readonly kind: string;
}) {
  const text = formatSettingValue(value, { isSet });
  const isWord = value === null || value === '' || (typeof value === 'object' && value.length === 0);
  if (isWord) return <span className="settings__muted">{text}</span>;
  return <code className={kind === 'list' ? 'settings__list-value' : 'settings__value'}>{text}</code>;
}
