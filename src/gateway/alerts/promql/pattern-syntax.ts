import { RuleError } from './rule-error.ts';

/** A part of a regular expression. */
export type PatternNode =
  | { readonly kind: 'character'; readonly matches: (codePoint: number) => boolean }
  | { readonly kind: 'anchor'; readonly at: 'start' | 'end' }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly choices: readonly PatternNode[] }
  /** `most` is null without an upper bound. */
  | {
      readonly kind: 'repetition';
      readonly of: PatternNode;
      readonly least: number;
      readonly most: number | null;
    };

type Matches = (codePoint: number) => boolean;

const MAX_LENGTH = 1_000;
const MAX_DEPTH = 30;
const MAX_REPEATS = 100;
const isDigit: Matches = (point) => point >= 48 && point <= 57;
const isWord: Matches = (point) =>
  isDigit(point) || point === 95 || (point >= 65 && point <= 90) || (point >= 97 && point <= 122);
const isSpace: Matches = (point) => point === 32 || (point >= 9 && point <= 13 && point !== 11);
const CLASSES: Readonly<Record<string, Matches>> = {
  d: isDigit,
  D: (point) => !isDigit(point),
  w: isWord,
  W: (point) => !isWord(point),
  s: isSpace,
  S: (point) => !isSpace(point),
};
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };

/** Parses a regular expression. @throws RuleError if it is not understood */
export function parsePattern(pattern: string): PatternNode {
  const characters = Array.from(pattern);
  if (characters.length > MAX_LENGTH)
    throw new RuleError(`a pattern is longer than ${MAX_LENGTH} characters`);
  const parser = new PatternParser(pattern, characters);
  return parser.parseAll();
}

class PatternParser {
  readonly #pattern: string;
  readonly #characters: readonly string[];
  #next = 0;
  #depth = 0;

  constructor(pattern: string, characters: readonly string[]) {
    this.#pattern = pattern;
    this.#characters = characters;
  }

  parseAll(): PatternNode {
    const node = this.#parseChoice();
    if (this.#next < this.#characters.length) throw this.#refuse();
    return node;
  }

  #refuse(): RuleError {
    return new RuleError(
      `the pattern "${this.#pattern.slice(0, 50)}" is not understood at character ${this.#next + 1}`,
    );
  }

  get #character(): string | undefined {
    return this.#characters[this.#next];
  }

  #takes(text: string): boolean {
    const isNext = this.#characters.slice(this.#next, this.#next + text.length).join('') === text;
    if (isNext) this.#next += text.length;
    return isNext;
  }

  #take(): string {
    const character = this.#character;
    if (character === undefined) throw this.#refuse();
    this.#next++;
    return character;
  }

  #parseChoice(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw new RuleError(`a pattern is nested deeper than ${MAX_DEPTH}`);
    const choices = [this.#parseSequence()];
    while (this.#takes('|')) choices.push(this.#parseSequence());
    this.#depth--;
    return { kind: 'choice', choices };
  }

  #parseSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#character !== undefined && this.#character !== '|' && this.#character !== ')')
      parts.push(this.#parseRepeated());
    return { kind: 'sequence', parts };
  }

  #parseRepeated(): PatternNode {
    const of = this.#parseOne();
    const bounds = this.#parseBounds();
    if (bounds === null) return of;
    // A whole text matches lazily whenever it matches greedily.
    this.#takes('?');
    if (this.#isRepeat) throw this.#refuse();
    return { kind: 'repetition', of, ...bounds };
  }

  /** Whether a repetition begins, which needs something before it that is none itself. */
  get #isRepeat(): boolean {
    return '*+?'.includes(this.#character ?? ' ') || this.#findCounts() !== null;
  }

  /** Finds `{2}`, `{2,}` or `{2,5}`. A brace with anything else in it stands for itself. */
  #findCounts(): RegExpExecArray | null {
    return /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.#characters.slice(this.#next, this.#next + 12).join(''));
  }

  #parseBounds(): { readonly least: number; readonly most: number | null } | null {
    if (this.#takes('*')) return { least: 0, most: null };
    if (this.#takes('+')) return { least: 1, most: null };
    if (this.#takes('?')) return { least: 0, most: 1 };
    const counts = this.#findCounts();
    if (counts === null) return null;
    const [text, least, comma, most] = counts;
    const bounds = {
      least: Number(least),
      most: comma === undefined ? Number(least) : most === undefined ? null : Number(most),
    };
    if (Math.max(bounds.least, bounds.most ?? 0) > MAX_REPEATS || bounds.least > (bounds.most ?? MAX_REPEATS))
      throw this.#refuse();
    this.#next += text.length;
    return bounds;
  }

  #parseOne(): PatternNode {
    if (this.#takes('(')) {
      if (!this.#takes('?:') && this.#character === '?') throw this.#refuse();
      const inner = this.#parseChoice();
      if (!this.#takes(')')) throw this.#refuse();
      return inner;
    }
    if (this.#takes('^')) return { kind: 'anchor', at: 'start' };
    if (this.#takes('$')) return { kind: 'anchor', at: 'end' };
    if (this.#takes('[')) return { kind: 'character', matches: this.#parseSet() };
    if (this.#takes('.')) return { kind: 'character', matches: () => true };
    if (this.#isRepeat) throw this.#refuse();
    const escaped = this.#parseCharacter();
    return {
      kind: 'character',
      matches: typeof escaped === 'number' ? (point) => point === escaped : escaped,
    };
  }

  /** Parses one character, which may be escaped: its code point, or what a class such as `\d` matches. */
  #parseCharacter(): number | Matches {
    const character = this.#take();
    if (character !== '\\') return character.codePointAt(0) ?? 0;
    const escaped = this.#take();
    const matches = CLASSES[escaped];
    if (matches !== undefined) return matches;
    const control = CONTROLS[escaped];
    if (control !== undefined) return control.charCodeAt(0);
    if (/[a-zA-Z0-9]/.test(escaped)) throw this.#refuse();
    return escaped.codePointAt(0) ?? 0;
  }

  /** Parses `[a-z_]` behind its bracket. */
  #parseSet(): Matches {
    const isNegated = this.#takes('^');
    const members: Matches[] = [];
    do {
      // `[[:alpha:]]` is a class of RE2.
      if (this.#takes('[:')) throw this.#refuse();
      members.push(this.#parseMember());
    } while (!this.#takes(']'));
    const isMember: Matches = (point) => members.some((matches) => matches(point));
    return isNegated ? (point) => !isMember(point) : isMember;
  }

  #parseMember(): Matches {
    const from = this.#parseCharacter();
    if (typeof from !== 'number') return from;
    if (this.#character !== '-' || this.#characters[this.#next + 1] === ']') return (point) => point === from;
    this.#next++;
    const to = this.#parseCharacter();
    if (typeof to !== 'number' || to < from) throw this.#refuse();
    return (point) => point >= from && point <= to;
  }
}
