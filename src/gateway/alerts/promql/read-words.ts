import { RuleError } from './rule-error.ts';

/** A piece of an expression, and where it begins, for error texts. */
export interface ExpressionWord {
  readonly kind: 'number' | 'name' | 'text' | 'duration' | 'sign' | 'end';
  /** As written; of a `text`, what it stands for. */
  readonly text: string;
  /** Characters before it. */
  readonly at: number;
}

const MAX_LENGTH = 4_000;
const SPACE = /(?:[ \t\r\n]+|#[^\n]*)+/y;
const PIECES: readonly (readonly [ExpressionWord['kind'], RegExp])[] = [
  ['duration', /(?:\d+(?:ms|[smhdwy]))+(?![\w.])/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y],
  ['name', /[a-zA-Z_:][a-zA-Z0-9_:]*/y],
  ['text', /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y],
  ['sign', /==|!=|=~|!~|>=|<=|[-+*/><=(){}[\],]/y],
];
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Splits an expression into its words; the last one is `end`. @throws RuleError where no word begins */
export function listWords(text: string): readonly ExpressionWord[] {
  if (text.length > MAX_LENGTH) throw new RuleError(`the expression is longer than ${MAX_LENGTH} characters`);
  const words: ExpressionWord[] = [];
  let at = 0;
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  while (at < text.length) {
    const space = read(SPACE);
    if (space !== null) {
      at += space.length;
      continue;
    }
    const token = findToken(read, at);
    if (token === null)
      throw new RuleError(`"${text.slice(at, at + 10)}" at character ${at + 1} is not understood`);
    words.push(token.kind === 'text' ? { ...token, text: unquoteText(token.text) } : token);
    at += token.text.length;
  }
  return [...words, { kind: 'end', text: 'the end', at }];
}

function findToken(read: (pattern: RegExp) => string | null, at: number): ExpressionWord | null {
  for (const [kind, pattern] of PIECES) {
    const text = read(pattern);
    if (text !== null) return { kind, text, at };
  }
  return null;
}

/** Returns what a quoted text stands for. @throws RuleError if it has an escape that is not supported */
function unquoteText(quoted: string): string {
  const inside = quoted.slice(1, -1);
  if (quoted.startsWith('`')) return inside;
  return inside.replaceAll(/\\(.)/gs, (_, escaped: string) => {
    if (/[\\"']/.test(escaped)) return escaped;
    const meant = ESCAPES[escaped];
    if (meant === undefined) throw new RuleError(`the escape \\${escaped} in a text is not supported`);
    return meant;
  });
}
