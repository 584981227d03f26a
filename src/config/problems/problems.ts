import { formatForError } from '../../common/format-for-error.ts';
import { findNearestName } from '../../common/nearest.ts';

/** Everything that is wrong with the configuration, one sentence each. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Formats the value of a setting for a message. The value of a secret setting is hidden. */
export function formatUnlessSecret(value: unknown, secret: boolean): string {
  return secret ? '(a secret that is not shown)' : formatForError(value, 200);
}

/** Returns `; did you mean ...?`, or an empty text when no name is similar. */
export function formatHint(text: string, names: readonly string[]): string {
  const name = findNearestName(text, names);
  return name === null ? '' : `; did you mean ${name}?`;
}
