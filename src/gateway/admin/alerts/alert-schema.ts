import { Type } from 'typebox';

const Millis = (what: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `Unix milliseconds. ${what}` });
/** JSON has no infinite numbers. */
const Reading = Type.Union([Type.Number(), Type.Null()], { description: 'Null: it is not a finite number.' });
const Labels = Type.Record(Type.String(), Type.String());
const State = Type.Union(
  [Type.Literal('firing'), Type.Literal('pending'), Type.Literal('quiet'), Type.Literal('unknown')],
  {
    description:
      'firing: the expression has held for long enough. pending: it holds, but not for long enough yet. quiet: it does not hold. unknown: it cannot be evaluated.',
  },
);

export const AlertParams = Type.Object({
  alert: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The name of an alert, such as SluicePartDown.',
  }),
});

const ActiveAlert = Type.Object({
  labels: Labels,
  value: Reading,
  state: Type.Union([Type.Literal('firing'), Type.Literal('pending')]),
  activeAt: Type.Integer({ description: 'Unix milliseconds since which the expression holds.' }),
  firingAt: Millis('Since when it fires; null: it is pending.'),
  summary: Type.String({ description: 'What is wrong, in a sentence.' }),
});

const Reason = Type.Object({
  kind: Type.Union(
    [Type.Literal('history'), Type.Literal('metric'), Type.Literal('series'), Type.Literal('refused')],
    {
      description:
        'history: there are not enough samples yet. metric: this instance has no such metrics, because it does not run what they are about. series: there are more series than the instance remembers. refused: the expression cannot be evaluated.',
    },
  ),
  text: Type.String({ description: 'The reason as a sentence.' }),
  from: Millis('From when on the alert is known; null: that is not known.'),
});

const Alert = Type.Object({
  name: Type.String(),
  severity: Type.Union([Type.String(), Type.Null()]),
  state: State,
  since: Millis('Since when it has this state.'),
  expression: Type.String({ description: 'In PromQL.' }),
  for: Type.Integer({
    description: 'Milliseconds for which the expression must hold before the alert fires.',
  }),
  range: Type.Integer({
    description:
      'The longest time before now that the expression reads, in milliseconds; 0: the latest sample only.',
  }),
  wholeFrom: Millis('When the instance has, or had, samples of the whole range.'),
  threshold: Type.Union([Type.Object({ operator: Type.String(), value: Type.Number() }), Type.Null()], {
    description: 'What the expression compares its series with; null: no number.',
  }),
  runbook: Type.Union([Type.String(), Type.Null()], {
    description:
      'The page of this instance’s documentation that says what to do, such as /docs/runbooks#sluicedown, or a URL.',
  }),
  reason: Type.Union([Reason, Type.Null()], { description: 'Why it is unknown; null: it is known.' }),
  lastFiredAt: Millis('When it last stopped firing; null: not since the start.'),
  active: Type.Array(ActiveAlert, {
    maxItems: 50,
    description: 'What fires or is pending, by labels; firing first.',
  }),
  activeCount: Type.Integer({ description: 'How many there are, with those that are not listed.' }),
  readings: Type.Array(Type.Object({ labels: Labels, value: Reading }), {
    maxItems: 8,
    description: 'The latest values that are compared, those nearest to firing first.',
  }),
});

export const AlertsAnswer = Type.Object({
  source: Type.String({ description: 'The file of the rules.' }),
  every: Type.Integer({ description: 'Milliseconds between samples.' }),
  evaluatedAt: Millis('When the rules were last evaluated; null: not yet.'),
  sampledSince: Millis('When the first sample was taken; null: none yet.'),
  counts: Type.Object({
    firing: Type.Integer(),
    pending: Type.Integer(),
    quiet: Type.Integer(),
    unknown: Type.Integer(),
  }),
  memory: Type.Object({
    series: Type.Integer({ description: 'Series that the instance remembers.' }),
    bytes: Type.Integer({ description: 'About how many bytes they take.' }),
  }),
  alerts: Type.Array(Alert, { maxItems: 200, description: 'In the order of the file.' }),
});

export const AlertHistoryAnswer = Type.Object({
  name: Type.String(),
  curves: Type.Array(
    Type.Object({
      labels: Labels,
      points: Type.Array(
        Type.Object({ at: Type.Integer({ description: 'Unix milliseconds.' }), value: Reading }),
        {
          maxItems: 240,
          description: 'The oldest first.',
        },
      ),
    }),
    { maxItems: 8 },
  ),
});
