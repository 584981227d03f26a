import { formatForError } from '../../../common/format-for-error.ts';
import { UsageError } from '../../command-line/command-line.ts';

type Flags = ReadonlyMap<string, string>;

/**
 * Reads a flag that is a whole number of at least 0.
 *
 * @throws UsageError when it is something else.
 */
export function parseWholeFlag(flags: Flags, name: string, absent: number): number {
  return parseIntegerFlag(flags, name, /^\d{1,10}$/, 'a whole number of at least 0') ?? absent;
}

/**
 * Reads a flag that is a whole number and may be negative.
 *
 * @throws UsageError when it is something else.
 */
export function parseSignedFlag(flags: Flags, name: string, absent: number): number {
  return parseIntegerFlag(flags, name, /^-?\d{1,10}$/, 'a whole number') ?? absent;
}

function parseIntegerFlag(flags: Flags, name: string, form: RegExp, right: string): number | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  if (form.test(text)) return Number(text);
  throw new UsageError(`--${name} is ${formatForError(text)}, but must be ${right}`);
}
