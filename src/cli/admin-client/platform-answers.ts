import { Check } from 'typebox/value';
import type { Static, TSchema } from 'typebox';
import { OperatorError } from '../../common/operator-error.ts';
import { UsageError } from '../command-line/command-line.ts';
import { formatForError } from '../../common/format-for-error.ts';

/**
 * Checks an answer against its schema, and returns it with its type.
 *
 * @throws OperatorError when it does not match, because the instance has another version.
 */
export function checkAnswer<S extends TSchema>(schema: S, answer: unknown): Static<S> {
  if (Check(schema, answer)) return answer;
  throw new OperatorError('the instance answers in a form that this version of sluice does not know');
}

/**
 * Returns the path of the team in the admin interface.
 *
 * @param text - The slugs of organisation and team, such as `acme/web`.
 * @throws UsageError when the text has another form.
 */
export function parseTeamPath(text: string): string {
  const [organisation = '', team = '', ...rest] = text.split('/');
  if (organisation !== '' && team !== '' && rest.length === 0) {
    return `organisations/${encodeURIComponent(organisation)}/teams/${encodeURIComponent(team)}`;
  }
  throw new UsageError(`the team is ${formatForError(text)}, but must be ORGANISATION/TEAM`);
}

export function formatTimeOrNever(milliseconds: number | null): string {
  return milliseconds === null ? 'never' : new Date(milliseconds).toISOString();
}

/**
 * Parses the value of a flag to Unix milliseconds.
 *
 * @throws UsageError when the flag's value is not a time in UTC.
 */
export function parseTimeFlag(name: string, text: string, allowed: string): number {
  const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`flag --${name} is ${formatForError(text)}, but must be ${allowed}`);
}

/**
 * Returns one of the names that a flag takes.
 *
 * @param name - The name of the flag, for the error.
 * @throws UsageError when the text is none of them.
 */
export function parseChoiceFlag<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`flag --${name} is ${formatForError(text)}, but must be one of ${choices.join(', ')}`);
}

/** Returns the path of an organisation in the admin interface. */
export function toOrganisationPath(slug: string): string {
  return `organisations/${encodeURIComponent(slug)}`;
}
