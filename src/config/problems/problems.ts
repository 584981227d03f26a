import { formatForError } from '../../common/format-for-error.ts';
import { nearest } from './nearest.ts';

/** What is wrong with the configuration: all of it, one sentence each. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** A value as an error shows it; `secret` ones are not shown. */
export function shownUnlessSecret(value: unknown, secret: boolean): string {
  return secret ? '(a secret that is not shown)' : formatForError(value, 200);
}

/** `; did you mean ...?` or nothing. */
export function hint(text: string, names: readonly string[]): string {
  const name = nearest(text, names);
  return name === null ? '' : `; did you mean ${name}?`;
}
