import type { Settings, SettingName } from '../../config/settings/settings.ts';
import { SETTING_NAMES, SETTINGS } from '../../config/settings/settings.ts';

/** Shorter parts of a URL, such as a database of the name `0`, are not secrets, and would be hidden in every message. */
const MIN_PART = 6;

/**
 * Returns the texts that must not be shown: the values of secret settings, and the passwords, paths and queries of their
 * URLs, the longest first.
 */
export function listSecretTexts(settings: Settings): readonly string[] {
  const values = SETTING_NAMES.filter((name) => SETTINGS[name].secret).flatMap((name) =>
    listValues(settings, name),
  );
  const texts = values.flatMap((value) => [value, ...listUrlSecrets(value)]);
  return [...new Set(texts)].filter((text) => text !== '').sort((one, other) => other.length - one.length);
}

function listValues(settings: Settings, name: SettingName): readonly string[] {
  const value: unknown = settings[name];
  return (Array.isArray(value) ? value : [value]).map(String);
}

function listUrlSecrets(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const { password, pathname, search, hash } = new URL(text);
  const parts = [...pathname.split('/'), ...[...new URLSearchParams(search).values()], search, hash];
  const passwords = [password, decode(password)];
  return [...passwords, ...parts.filter((part) => part.length >= MIN_PART)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
