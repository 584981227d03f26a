import { ApiError, describeFailure } from '../../../api/call.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';

/** Returns why there is no quote, with the details where the answer has them beside a text that clients compare. */
export function explainRefusal(error: unknown): string {
  if (error instanceof ApiError) {
    const { body } = error;
    const details = typeof body === 'object' && body !== null && 'details' in body ? body.details : undefined;
    return typeof details === 'string' && details !== '' ? details : error.message;
  }
  return describeFailure(error);
}

/** Puts the symbols of tokens into a sentence that names their mints, which nobody can read. */
export function nameMints(
  sentence: string,
  mints: readonly string[],
  { find, getSymbol }: Pick<KnownTokens, 'find' | 'getSymbol'>,
): string {
  return mints
    .filter((mint) => find(mint) !== null)
    .reduce((text, mint) => text.replaceAll(mint, () => getSymbol(mint)), sentence);
}
