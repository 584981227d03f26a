import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { parseDuration } from '../promql/duration.ts';
import {
  type ComparisonOperator,
  type Expression,
  isComparison,
  isScalar,
  visitSelectors,
} from '../promql/expression.ts';
import { parseExpression } from '../promql/parse-expression.ts';
import { RuleError } from '../promql/rule-error.ts';
import { parseSummary, type SummaryTemplate } from './summary-template.ts';

/** An alert of a rule file, and what it means to evaluate it. */
export interface AlertRule {
  readonly name: string;
  /** The text of its expression. */
  readonly expression: string;
  /** How long its expression must hold before it fires, in milliseconds. */
  readonly forMs: number;
  /** Labels that are added to each alert, such as its severity. */
  readonly labels: Readonly<Record<string, string>>;
  /** The file and the section that say what to do, such as `docs/runbooks.md#sluicedown`. Null: none. */
  readonly runbook: string | null;
  /** How it is evaluated, or a sentence about why this instance cannot. */
  readonly plan: AlertPlan | { readonly refusal: string };
}

/** How an alert is evaluated. */
export interface AlertPlan {
  /** What is compared, or all of the expression. */
  readonly measured: Expression;
  /** What the measured series are compared with; null if the expression ends with no comparison with a number. */
  readonly threshold: { readonly operator: ComparisonOperator; readonly value: number } | null;
  readonly summary: SummaryTemplate;
  /** The metrics that are read, by the longest range in milliseconds; 0: only their latest samples. */
  readonly reads: ReadonlyMap<string, number>;
}

const MAX_RULES = 200;
/** The history of an instance ends there. */
const MAX_RANGE_MS = 3_600_000;
const Text = Type.String({ maxLength: 4_000 });
const RuleFile = Type.Object({
  groups: Type.Array(
    Type.Object({
      rules: Type.Array(
        Type.Object({
          alert: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
          expr: Type.Union([Text, Type.Number()]),
          for: Type.Optional(Type.Union([Text, Type.Number()])),
          keep_firing_for: Type.Optional(Type.Unknown()),
          labels: Type.Optional(Type.Record(Type.String(), Text)),
          annotations: Type.Optional(Type.Record(Type.String(), Text)),
        }),
      ),
    }),
  ),
});
type WrittenRule = Static<typeof RuleFile>['groups'][number]['rules'][number];

/**
 * Reads a file of rules in Prometheus' form. Recording rules are left out. A rule that this instance cannot evaluate is kept
 * with the reason.
 * @throws RuleError if the text is not such a file
 */
export function readRuleFile(text: string): readonly AlertRule[] {
  const content = parseYaml(text);
  if (!Value.Check(RuleFile, content)) {
    const [first] = Value.Errors(RuleFile, content);
    throw new RuleError(
      `it has not the form of rules: ${first?.instancePath || 'its top'} ${first?.message ?? 'is wrong'}`,
    );
  }
  const rules = content.groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== undefined);
  if (rules.length > MAX_RULES)
    throw new RuleError(`it has ${rules.length} alerts, and at most ${MAX_RULES} are evaluated`);
  const names = rules.map(({ alert }) => alert);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new RuleError(`it has the alert ${twice} twice`);
  return rules.map(readRule);
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new RuleError(
      `it is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
    );
  }
}

function readRule({
  alert = '',
  expr,
  for: written = '0s',
  labels = {},
  annotations = {},
  keep_firing_for,
}: WrittenRule): AlertRule {
  const expression = String(expr);
  const base = {
    name: alert,
    expression,
    labels,
    runbook: annotations.runbook ?? annotations.runbook_url ?? null,
  };
  try {
    const forMs = readFor(String(written));
    if (keep_firing_for !== undefined) throw new RuleError('keep_firing_for is not supported');
    if (Object.values(labels).some((value) => value.includes('{{')))
      throw new RuleError('a label with a template is not supported');
    return {
      ...base,
      forMs,
      plan: makePlan(expression, annotations.summary ?? annotations.description ?? ''),
    };
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return { ...base, forMs: 0, plan: { refusal: error.message } };
  }
}

function readFor(written: string): number {
  const forMs = parseDuration(written);
  if (forMs === null) throw new RuleError(`for: ${written.slice(0, 20)} is not a duration, such as 5m`);
  return forMs;
}

function makePlan(text: string, summary: string): AlertPlan {
  const expression = parseExpression(text);
  if (isScalar(expression)) throw new RuleError('the expression is a number, and an alert needs series');
  const reads = new Map<string, number>();
  visitSelectors(expression, ({ metric }, rangeMs) => {
    if (rangeMs > MAX_RANGE_MS)
      throw new RuleError('a range is longer than an hour, which is as far as the instance remembers');
    reads.set(metric, Math.max(reads.get(metric) ?? 0, rangeMs));
  });
  const { measured, threshold } = splitComparison(expression);
  return { measured, threshold, summary: parseSummary(summary), reads };
}

/** Takes the comparison with a number apart, so that what is compared is known while the alert is quiet. */
function splitComparison(expression: Expression): Pick<AlertPlan, 'measured' | 'threshold'> {
  if (expression.kind !== 'binary' || !isComparison(expression.operator))
    return { measured: expression, threshold: null };
  const { left, right, operator } = expression;
  if (right.kind !== 'number') return { measured: expression, threshold: null };
  return { measured: left, threshold: { operator, value: right.value } };
}
