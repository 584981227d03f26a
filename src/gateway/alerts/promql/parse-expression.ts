import {
  AGGREGATIONS,
  type AggregationOperation,
  type BinaryOperator,
  COMPARISONS,
  type Expression,
  isComparison,
  isScalar,
  type LabelMatcher,
  RANGE_FUNCTIONS,
  type RangeFunction,
  type Selector,
} from './expression.ts';
import { parseDuration } from './duration.ts';
import { compilePattern } from './pattern.ts';
import { RuleError } from './rule-error.ts';
import { listWords, type ExpressionWord } from './read-words.ts';

/** Deep enough for any rule that a person reads. */
const MAX_DEPTH = 50;
/** The values of a label that a matcher remembers, so that a pattern is not compared again at each evaluation. */
const MAX_REMEMBERED = 5_000;
/** What PromQL reads as a number in place of the name of a metric. */
const NO_METRIC = /^(inf|nan)$/i;
/** The operators by what binds weakest first. */
const LEVELS: readonly (readonly string[])[] = [COMPARISONS, ['+', '-'], ['*', '/']];

/**
 * Parses the part of PromQL that alerts use: selectors, `rate`, `increase`, `delta`, `sum`, `min` and `max` with `by`,
 * `histogram_quantile`, arithmetic and comparisons.
 *
 * @param text - Such as `rate(jobs_failed_total[5m]) > 0`.
 * @returns the expression, whose parts have the types that Prometheus asks for
 * @throws RuleError with a sentence about what is not understood or not supported
 *
 * @example
 * ```ts
 * import { parseExpression } from './parse-expression.ts';
 *
 * console.log(parseExpression('sum by (job) (rate(failed_total[5m])) > 0').kind);
 * ```
 */
export function parseExpression(text: string): Expression {
  const parser = new ExpressionParser(listWords(text));
  return parser.parseAll();
}

class ExpressionParser {
  readonly #words: readonly ExpressionWord[];
  #next = 0;
  #depth = 0;

  constructor(words: readonly ExpressionWord[]) {
    this.#words = words;
  }

  parseAll(): Expression {
    const expression = this.#parseLevel(0);
    if (this.#token.kind !== 'end') throw this.#describeUnexpected();
    return expression;
  }

  get #token(): ExpressionWord {
    // The last token is the end, and nothing takes it.
    return this.#words[this.#next] as ExpressionWord;
  }

  #take(): ExpressionWord {
    const token = this.#token;
    if (token.kind !== 'end') this.#next++;
    return token;
  }

  #isSign(text: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === text;
  }

  /** Takes a sign if it is next. */
  #takes(text: string): boolean {
    const isNext = this.#isSign(text);
    if (isNext) this.#next++;
    return isNext;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#describeUnexpected(`"${text}"`);
  }

  #describeUnexpected(wanted?: string): RuleError {
    const { text, at } = this.#token;
    const expected = wanted === undefined ? '' : `; ${wanted} is expected`;
    return new RuleError(`"${text}" at character ${at + 1} is not supported there${expected}`);
  }

  #parseLevel(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#parseOperand();
    let left = this.#parseLevel(level + 1);
    while (this.#token.kind === 'sign' && operators.includes(this.#token.text)) {
      const operator = this.#take().text as BinaryOperator;
      const right = this.#parseLevel(level + 1);
      if (isComparison(operator) && isScalar(left) && isScalar(right))
        throw new RuleError(`"${operator}" compares two numbers; one side must be series`);
      left = { kind: 'binary', operator, left, right };
    }
    return left;
  }

  #parseOperand(): Expression {
    if (++this.#depth > MAX_DEPTH) throw new RuleError(`the expression is nested deeper than ${MAX_DEPTH}`);
    const expression = this.#parseInner();
    this.#depth--;
    if (this.#isSign('['))
      throw this.#describeUnexpected('a range stands only in rate, increase and delta, and it');
    return expression;
  }

  #parseInner(): Expression {
    if (this.#takes('(')) {
      const inner = this.#parseLevel(0);
      this.#expect(')');
      return inner;
    }
    if (this.#takes('-')) return { kind: 'number', value: -this.#parseNumber() };
    if (this.#token.kind === 'number') return { kind: 'number', value: this.#parseNumber() };
    if (this.#token.kind !== 'name') throw this.#describeUnexpected();
    return this.#parseNamed();
  }

  #parseNumber(): number {
    const { kind, text } = this.#take();
    if (kind !== 'number') throw new RuleError(`"${text}" is not a number`);
    return Number(text);
  }

  #parseNamed(): Expression {
    const { text: name } = this.#token;
    if (isAmong(AGGREGATIONS, name)) {
      this.#take();
      return this.#parseAggregation(name);
    }
    if (this.#words[this.#next + 1]?.text !== '(') return this.#parseSelector();
    this.#take();
    if (isAmong(RANGE_FUNCTIONS, name)) return this.#parseRangeCall(name);
    if (name === 'histogram_quantile') return this.#parseQuantile();
    throw new RuleError(`the function ${name} is not supported`);
  }

  #parseAggregation(operation: AggregationOperation): Expression {
    const before = this.#parseBy();
    this.#expect('(');
    const of = this.#parseSeries(operation);
    this.#expect(')');
    return { kind: 'aggregation', operation, by: before ?? this.#parseBy() ?? [], of };
  }

  /** Parses `by (a, b)`; null if the next word is another one. */
  #parseBy(): readonly string[] | null {
    if (this.#token.kind !== 'name' || this.#token.text !== 'by') return null;
    this.#take();
    this.#expect('(');
    const labels: string[] = [];
    while (!this.#takes(')')) {
      if (labels.length > 0) this.#expect(',');
      labels.push(this.#parseLabel());
    }
    return labels;
  }

  #parseRangeCall(name: RangeFunction): Expression {
    this.#expect('(');
    const of = this.#parseSelector();
    if (!this.#takes('[')) throw new RuleError(`${name} needs a range, such as [5m]`);
    const { kind, text } = this.#take();
    const rangeMs = kind === 'duration' ? parseDuration(text) : null;
    if (rangeMs === null || rangeMs === 0) throw new RuleError(`"${text}" is not a range, such as 5m`);
    this.#expect(']');
    this.#expect(')');
    return { kind: 'range', function: name, of, rangeMs };
  }

  #parseQuantile(): Expression {
    this.#expect('(');
    const quantile = this.#parseLevel(0);
    if (!isScalar(quantile)) throw new RuleError('the quantile of histogram_quantile must be a number');
    this.#expect(',');
    const of = this.#parseSeries('histogram_quantile');
    this.#expect(')');
    return { kind: 'quantile', quantile, of };
  }

  #parseSeries(taker: string): Expression {
    const expression = this.#parseLevel(0);
    if (isScalar(expression)) throw new RuleError(`${taker} needs series, and has a number`);
    return expression;
  }

  #parseSelector(): Selector {
    const { kind, text: metric } = this.#take();
    if (kind !== 'name') throw new RuleError(`"${metric}" is not the name of a metric`);
    if (NO_METRIC.test(metric)) throw new RuleError(`the number ${metric} is not supported`);
    const matchers: LabelMatcher[] = [];
    if (this.#takes('{')) {
      while (!this.#takes('}')) {
        if (matchers.length > 0) this.#expect(',');
        if (this.#takes('}')) break;
        matchers.push(this.#parseMatcher());
      }
    }
    return { kind: 'selector', metric, matchers };
  }

  #parseMatcher(): LabelMatcher {
    const label = this.#parseLabel();
    const operator = this.#take().text;
    const { kind, text } = this.#take();
    if (kind !== 'text')
      throw new RuleError(`the label ${label} must be compared with a text in quotation marks`);
    return { label, matches: createMatch(operator, text) };
  }

  #parseLabel(): string {
    const { kind, text } = this.#take();
    if (kind !== 'name' || text.includes(':')) throw new RuleError(`"${text}" is not the name of a label`);
    if (text === '__name__') throw new RuleError('the label __name__ is not supported');
    return text;
  }
}

function createMatch(operator: string, text: string): LabelMatcher['matches'] {
  if (operator === '=') return (value) => value === text;
  if (operator === '!=') return (value) => value !== text;
  if (operator !== '=~' && operator !== '!~') throw new RuleError(`"${operator}" does not compare labels`);
  const matchesPattern = rememberMatches(compilePattern(text));
  return operator === '=~' ? matchesPattern : (value) => !matchesPattern(value);
}

function rememberMatches(matches: (value: string) => boolean): (value: string) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const found = matches(value);
    known.set(value, found);
    return found;
  };
}

function isAmong<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}
