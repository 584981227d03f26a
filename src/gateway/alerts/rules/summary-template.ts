import type { Labels } from '../../../common/ports/metrics.ts';
import { RuleError } from '../promql/rule-error.ts';

/** Writes the summary of an alert from its labels and its value. */
export type SummaryTemplate = (labels: Labels, value: number) => string;

const ACTION = /\{\{(.*?)\}\}/gs;
const LABEL = /^\$labels\.([a-zA-Z_][a-zA-Z0-9_]*)$/;
const MAX_LENGTH = 2_000;

/**
 * Reads the template of a summary: a text with `{{ $labels.x }}`, `{{ $value }}`, `{{ $value | humanize }}` and
 * `{{ $value | humanizePercentage }}`.
 * @throws RuleError if it has anything else in double braces
 */
export function parseSummary(text: string): SummaryTemplate {
  if (text.length > MAX_LENGTH) throw new RuleError(`a summary is longer than ${MAX_LENGTH} characters`);
  const parts: SummaryTemplate[] = [];
  let from = 0;
  for (const match of text.matchAll(ACTION)) {
    const before = text.slice(from, match.index);
    parts.push(() => before, parseAction(match[1] ?? ''));
    from = match.index + match[0].length;
  }
  const rest = text.slice(from);
  if (/\{\{|\}\}/.test(rest)) throw new RuleError('a summary has double braces that are not closed');
  return (labels, value) => `${parts.map((write) => write(labels, value)).join('')}${rest}`;
}

function parseAction(written: string): SummaryTemplate {
  const action = written.trim().replaceAll(/\s*\|\s*/g, ' | ');
  const label = LABEL.exec(action)?.[1];
  if (label !== undefined) return (labels) => (Object.hasOwn(labels, label) ? (labels[label] ?? '') : '');
  if (action === '$value') return (_, value) => formatGoNumber(value);
  if (action === '$value | humanizePercentage') return (_, value) => `${formatFourDigits(value * 100)}%`;
  if (action === '$value | humanize') return (_, value) => humanize(value);
  throw new RuleError(`{{ ${action} }} in a summary is not supported`);
}

/** Writes a number as Go's `%v` does, which Prometheus uses. */
function formatGoNumber(value: number): string {
  const special = formatSpecial(value);
  if (special !== null) return special;
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return exponent < -4 || exponent >= 21 ? formatExponent(value.toExponential()) : String(value);
}

/** Writes a number with four significant digits, as Go's `%.4g` does. */
function formatFourDigits(value: number): string {
  const special = formatSpecial(value);
  if (special !== null) return special;
  const rounded = value.toExponential(3);
  const exponent = Number(rounded.slice(rounded.indexOf('e') + 1));
  if (exponent < -4 || exponent >= 4) {
    const [digits = '', power = ''] = rounded.split('e');
    return formatExponent(`${removeZeros(digits)}e${power}`);
  }
  return removeZeros(value.toFixed(3 - exponent));
}

/** Writes a number with a prefix of the SI, as Prometheus' `humanize` does. */
function humanize(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return formatFourDigits(value);
  const prefixes =
    Math.abs(value) >= 1
      ? ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
      : ['', 'm', 'u', 'n', 'p', 'f', 'a', 'z', 'y'];
  let scaled = value;
  let place = 0;
  const step = Math.abs(value) >= 1 ? 1 / 1_000 : 1_000;
  const isScaled = () => (step < 1 ? Math.abs(scaled) < 1_000 : Math.abs(scaled) >= 1);
  while (!isScaled() && place < prefixes.length - 1) {
    scaled = step < 1 ? scaled / 1_000 : scaled * 1_000;
    place++;
  }
  return `${formatFourDigits(scaled)}${prefixes[place]}`;
}

function formatSpecial(value: number): string | null {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return null;
  return value > 0 ? '+Inf' : '-Inf';
}

/** Go writes at least two digits of the exponent. */
function formatExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

function removeZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
