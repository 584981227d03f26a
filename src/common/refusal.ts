/** Why an operation on customers or makers was refused. Each code has one meaning; the sentence of a refusal says the rest. */
export const REFUSAL_CODES = {
  'invalid-value': 'A given value is not of the required form, or is out of its bounds.',
  'not-permitted': 'The caller may not do this.',
  'rights-changed': 'The role or the token of the caller changed before the operation began.',
  'not-found': 'The organisation, team, key, rule, member, invitation or maker does not exist.',
  'already-exists': 'The name, or the address of a maker, is already taken.',
  'limit-reached': 'There is no room for another one.',
  'last-owner': 'The organisation would be left without an owner.',
} as const;
export type RefusalCode = keyof typeof REFUSAL_CODES;

export interface Refusal {
  readonly code: RefusalCode;
  /** A sentence for the caller: what was wrong, and where it helps, what would be right. */
  readonly message: string;
}

/** What an operation returns that can be refused. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Refusal };

/**
 * Carries a refusal out of a transaction, which rolls the transaction back. It does not leave the operation: `toResult`
 * makes a `Result` of it.
 */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.refusal = { code, message };
  }
}

/**
 * Converts a thrown `Refused` to a result.
 * @param work - Throws `Refused` to refuse.
 * @returns the value that `work` resolves to, or the refusal
 * @throws every other error that `work` throws
 * @example
 * ```ts
 * import { Refused, toResult } from './refusal.ts';
 *
 * const result = await toResult(() => {
 *   throw new Refused('not-found', 'there is no team "web"');
 * });
 * if (!result.ok) console.log(result.error.code); // not-found
 * ```
 */
export async function toResult<T>(work: () => T | Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, error: error.refusal };
  }
}
