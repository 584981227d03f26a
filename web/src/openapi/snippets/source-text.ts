import { ExactNumber, type ExactJson, isExactList } from '../../base/exact-json.ts';

/** How a language writes values. */
export interface SourceLanguage {
  readonly quote: '"' | "'";
  readonly words: { readonly null: string; readonly true: string; readonly false: string };
  readonly indent: string;
  /** Whether whole numbers of any size are exact. */
  readonly hasExactIntegers: boolean;
  /** Writes the name of a member of an object. */
  readonly writeName: (name: string) => string;
}

const SCRIPT_NAME = /^[A-Za-z_$][\w$]*$/;

export const TYPESCRIPT: SourceLanguage = {
  quote: "'",
  words: { null: 'null', true: 'true', false: 'false' },
  indent: '  ',
  hasExactIntegers: false,
  writeName: (name) => (SCRIPT_NAME.test(name) ? name : quoteSourceText(name, "'")),
};

export const PYTHON: SourceLanguage = {
  quote: '"',
  words: { null: 'None', true: 'True', false: 'False' },
  indent: '    ',
  hasExactIntegers: true,
  writeName: (name) => quoteSourceText(name, '"'),
};

/** Writes a text as a literal that TypeScript and Python read alike, whatever is in it. */
export function quoteSourceText(text: string, quote: SourceLanguage['quote']): string {
  // Both languages would read a character beyond U+FFFF from one escape differently, so those stand as they are.
  const escaped = text.replaceAll(/[\\'"\p{Cc}\p{Zl}\p{Zp}\p{Cf}]|\p{Surrogate}/gu, (char) => {
    if (char === '"' || char === "'") return char === quote ? `\\${char}` : char;
    const known = ESCAPES[char];
    if (known !== undefined) return known;
    const code = char.codePointAt(0) ?? 0;
    return code > 0xffff ? char : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return quote + escaped + quote;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Writes a JSON value as a literal of several lines. Returns null if the language would read another value, as TypeScript does
 * of integers beyond 2^53.
 */
export function writeLiteral(value: ExactJson, language: SourceLanguage, margin = ''): string | null {
  if (value instanceof ExactNumber) return isExactIn(value, language) ? value.source : null;
  if (typeof value === 'string') return quoteSourceText(value, language.quote);
  if (typeof value === 'boolean') return value ? language.words.true : language.words.false;
  if (value === null) return language.words.null;
  const inner = margin + language.indent;
  const isList = isExactList(value);
  const parts = isList
    ? value.map((item) => writeLiteral(item, language, inner))
    : [...value].map(([name, member]) => {
        const text = writeLiteral(member, language, inner);
        // In TypeScript this name would set the prototype.
        return text === null || name === '__proto__' ? null : `${language.writeName(name)}: ${text}`;
      });
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.includes(null)) return null;
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},`).join('\n')}\n${margin}${close}`;
}

function isExactIn({ source }: ExactNumber, { hasExactIntegers }: SourceLanguage): boolean {
  const isWhole = /^-?\d+$/.test(source);
  if (source === '-0') return false;
  if (isWhole) return hasExactIntegers || Number.isSafeInteger(Number(source));
  return Number.isFinite(Number(source));
}
