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

const SHOWN = 200;

/** A value as an error shows it; `secret` ones are not shown. */
export function shown(value: unknown, secret: boolean): string {
  if (secret) return '(a secret that is not shown)';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length} characters)` : text;
}

/** `: did you mean "..."?` or nothing. */
export function hint(text: string, names: readonly string[]): string {
  const name = nearest(text, names);
  return name === null ? '' : `; did you mean ${name}?`;
}
