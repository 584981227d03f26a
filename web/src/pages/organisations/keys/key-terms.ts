const DAY_MS = 86_400_000;

/** What a reader chooses of a key. */
export interface KeyTermsForm {
  readonly name: string;
  /** Null: every product. */
  readonly products: readonly string[] | null;
  readonly expiry: KeyExpiry;
  /** A date, such as 2027-01-31, which counts with the expiry `date`. */
  readonly date: string;
}

/** When a key expires. `kept` leaves it as it is. */
export type KeyExpiry = 'kept' | 'never' | '30' | '90' | '365' | 'date';

/** What can be wrong with each part of a form; null: nothing. */
export interface KeyProblems {
  readonly name: string | null;
  readonly products: string | null;
  readonly date: string | null;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Says what the server would refuse. @param now - Unix milliseconds. */
export function findKeyProblems({ name, products, expiry, date }: KeyTermsForm, now: number): KeyProblems {
  const end = toEndOfDay(date);
  return {
    name: NAME.test(name)
      ? null
      : '1 to 64 letters, digits, spaces, dots, hyphens and underscores, the first a letter or digit',
    products: products !== null && products.length === 0 ? 'choose one product at least' : null,
    date:
      expiry !== 'date' || (end !== null && end > now)
        ? null
        : 'a day that is not over yet, such as 2027-01-31',
  };
}

/** Returns when a key expires by what was chosen, in Unix milliseconds; null: never; undefined: it stays as it is. */
export function toExpiresAt({ expiry, date }: KeyTermsForm, now: number): number | null | undefined {
  if (expiry === 'kept') return undefined;
  if (expiry === 'never') return null;
  return expiry === 'date' ? toEndOfDay(date) : now + Number(expiry) * DAY_MS;
}

/** The end of a day in UTC; null if there is no such day. */
function toEndOfDay(date: string): number | null {
  if (!DATE.test(date)) return null;
  const start = Date.parse(`${date}T00:00:00Z`);
  const isReal = Number.isFinite(start) && new Date(start).toISOString().startsWith(date);
  return isReal ? start + DAY_MS : null;
}
