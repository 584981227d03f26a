const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes with a name of which no address is: the unknown region, unions of states, and locales for tests. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ']);

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The countries that a condition can name, by their names. The browser knows them. */
export const COUNTRIES: readonly { readonly code: string; readonly name: string }[] = LETTERS.flatMap((one) =>
  LETTERS.flatMap((other) => {
    const code = one + other;
    const name = findCountryName(code);
    return name === null ? [] : [{ code, name }];
  }),
).sort((one, other) => one.name.localeCompare(other.name, 'en'));

/** Returns the English name of a country; null if there is no such code, or another one has taken its place. */
export function findCountryName(code: string): string | null {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRIES.has(code)) return null;
  const [canonical] = Intl.getCanonicalLocales(`und-${code}`);
  return canonical === `und-${code}` ? (names.of(code) ?? null) : null;
}

/** Returns the code of a country that is written as its code, its name, or `Switzerland (CH)`; null if there is no such country. */
export function findCountryCode(typed: string): string | null {
  const text = typed.trim();
  const [, code = text] = /\(([A-Za-z]{2})\)$/.exec(text) ?? [];
  if (isCountryCode(code.toUpperCase())) return code.toUpperCase();
  const name = text.toLowerCase();
  return COUNTRIES.find((country) => country.name.toLowerCase() === name)?.code ?? null;
}

export function isCountryCode(code: string): boolean {
  return findCountryName(code) !== null;
}
