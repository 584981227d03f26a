import { formatForError } from '../../../common/format-for-error.ts';
import { UsageError } from '../../command-line/command-line.ts';

type Flags = ReadonlyMap<string, string>;

/**
 * Reads a flag that is a whole number of at least 0.
 *
 * @throws UsageError when it is something else.
 */
export function wholeOf(flags: Flags, name: string, absent: number): number {
  return numberOf(flags, name, /^\d{1,10}$/, 'a whole number of at least 0') ?? absent;
}

/**
 * Reads a flag that is a whole number and may be negative.
 *
 * @throws UsageError when it is something else.
 */
export function signedOf(flags: Flags, name: string, absent: number): number {
  return numberOf(flags, name, /^-?\d{1,10}$/, 'a whole number') ?? absent;
}

function numberOf(flags: Flags, name: string, form: RegExp, right: string): number | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  if (form.test(text)) return Number(text);
  throw new UsageError(`--${name} is ${formatForError(text)}, but must be ${right}`);
}
