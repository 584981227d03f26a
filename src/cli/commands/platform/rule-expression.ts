import { formatForError } from '../../../common/format-for-error.ts';
import { UsageError } from '../../command-line/command-line.ts';

/** A condition and an action as the admin interface takes them. */
export interface ConditionJson {
  readonly type: string;
  readonly name?: string;
  readonly values: readonly string[];
}
export interface ActionJson {
  readonly type: string;
  readonly limit?: number;
  readonly window?: string;
  readonly per?: string;
}

export const WHEN = 'TYPE=VALUE,... and ... or ..., or always';
export const THEN = 'deny, log, bypass, or N per WINDOW per ip|key|team, with a window such as 30s or 5m';

const RATE_LIMIT = /^(\d{1,9}) per (\w+) per (\w+)$/;

/**
 * Parses conditions such as `path=/swap and method=POST or header.x-app=ios`. `and` binds stronger than `or`, and
 * several values after `=` are alternatives.
 *
 * @throws UsageError when the text has another form; the instance checks types and values.
 */
export function parseWhen(text: string): readonly (readonly ConditionJson[])[] {
  if (text.trim() === 'always') return [];
  return text.split(/\s+or(?:\s+|$)/i).map((group) => group.split(/\s+and(?:\s+|$)/i).map(parseCondition));
}

/** @throws UsageError when the text is not an action. */
export function parseThen(text: string): ActionJson {
  if (['deny', 'log', 'bypass'].includes(text)) return { type: text };
  const [, limit, window = '', per = ''] = RATE_LIMIT.exec(text) ?? [];
  if (limit !== undefined) return { type: 'rate-limit', limit: Number(limit), window, per };
  throw new UsageError(`flag --then is ${formatForError(text)}, but must be ${THEN}`);
}

function parseCondition(text: string): ConditionJson {
  const [, type, name, values] = /^\s*(\w+)(?:\.([^=\s]+))?=(\S.*?)\s*$/.exec(text) ?? [];
  if (type === undefined || values === undefined) {
    throw new UsageError(
      `the condition ${formatForError(text)} must be TYPE=VALUE, such as path=/swap or header.x-app=ios, with alternatives separated by commas`,
    );
  }
  return { type, ...(name === undefined ? {} : { name }), values: values.split(',') };
}
