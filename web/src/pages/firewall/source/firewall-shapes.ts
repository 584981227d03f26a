import { shape, type ShapeValue } from '../../../base/json-shape.ts';

const readCondition = shape.object({
  type: shape.text,
  name: shape.optional(shape.text, ''),
  values: shape.list(shape.text),
});
const readAction = shape.object({
  type: shape.text,
  limit: shape.optional(shape.number, 0),
  window: shape.optional(shape.text, ''),
  per: shape.optional(shape.text, ''),
});
const readRule = shape.object({
  name: shape.text,
  enabled: shape.flag,
  expression: shape.text,
  groups: shape.list(shape.list(readCondition)),
  action: readAction,
  createdAt: shape.number,
});

export const readRuleList = shape.object({ rules: shape.list(readRule) });

const readTop = shape.list(shape.object({ name: shape.text, requests: shape.number }));
const readSample = shape.object({
  at: shape.number,
  requestId: shape.text,
  method: shape.text,
  path: shape.text,
  key: shape.text,
  client: shape.text,
  decision: shape.text,
  change: shape.text,
  effect: shape.nullable(shape.text),
  rule: shape.nullable(shape.text),
});

/** Reads what a rule would have done with the newest requests. */
export const readPreview = shape.object({
  since: shape.number,
  until: shape.number,
  considered: shape.number,
  oldest: shape.nullable(shape.number),
  isCut: shape.flag,
  refusedBefore: shape.number,
  stopped: shape.object({
    requests: shape.number,
    byRule: shape.number,
    mayBeByRule: shape.number,
    byLimit: shape.number,
  }),
  letThrough: shape.number,
  stillStopped: shape.number,
  unchanged: shape.number,
  unknown: shape.object({
    requests: shape.number,
    reasons: shape.list(shape.object({ reason: shape.text, requests: shape.number })),
    rules: shape.list(shape.text),
  }),
  limitsOpenUntil: shape.nullable(shape.number),
  own: shape.object({ client: shape.text, considered: shape.number, stopped: shape.number }),
  rules: shape.list(
    shape.object({
      name: shape.text,
      isTried: shape.flag,
      matched: shape.number,
      mayMatch: shape.number,
      decided: shape.number,
      mayDecide: shape.number,
      stopped: shape.number,
    }),
  ),
  top: shape.object({ paths: readTop, keys: readTop, clients: readTop }),
  samples: shape.list(readSample),
});

export const readTriedRequest = shape.object({
  matched: shape.list(shape.text),
  decided: shape.nullable(shape.object({ name: shape.text, action: shape.text })),
});

export type FirewallRule = ShapeValue<typeof readRule>;
export type RulePreview = ShapeValue<typeof readPreview>;
export type PreviewedRequest = ShapeValue<typeof readSample>;
