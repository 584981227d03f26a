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
export const THEN = 'deny, log, bypass, or N per second|minute per ip|key|team';

const RATE_LIMIT = /^(\d{1,9}) per (\w+) per (\w+)$/;

/**
 * `path=/swap and method=POST or header.x-app=ios`: `and` binds before `or`, the values after `=` are alternatives.
 * @throws UsageError when it is not of that form; the instance judges types and values
 */
export function parseWhen(text: string): readonly (readonly ConditionJson[])[] {
  if (text.trim() === 'always') return [];
  return text.split(/\s+or(?:\s+|$)/i).map((group) => group.split(/\s+and(?:\s+|$)/i).map(parseCondition));
}

/** @throws UsageError when it is none */
export function parseThen(text: string): ActionJson {
  if (['deny', 'log', 'bypass'].includes(text)) return { type: text };
  const [, limit, window = '', per = ''] = RATE_LIMIT.exec(text) ?? [];
  if (limit !== undefined) return { type: 'rate-limit', limit: Number(limit), window, per };
  throw new UsageError(`flag --then is ${formatForError(text)}, but allowed is ${THEN}`);
}

function parseCondition(text: string): ConditionJson {
  const [, type, name, values] = /^\s*(\w+)(?:\.([^=\s]+))?=(\S.*?)\s*$/.exec(text) ?? [];
  if (type === undefined || values === undefined) {
    throw new UsageError(
      `the condition ${formatForError(text)} must be TYPE=VALUE, such as path=/swap or header.x-app=ios, and alternatives have commas between`,
    );
  }
  return { type, ...(name === undefined ? {} : { name }), values: values.split(',') };
}
