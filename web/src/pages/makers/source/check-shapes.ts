import { shape, type ShapeValue } from '../../../base/json-shape.ts';

const Situation = shape.object({
  situation: shape.text,
  meaning: shape.text,
  outcome: shape.text,
  detail: shape.nullable(shape.text),
});

/** A conformance check, under way or over. */
export const readCheck = shape.object({
  maker: shape.text,
  running: shape.flag,
  passed: shape.flag,
  kind: shape.text,
  startedAt: shape.number,
  endedAt: shape.nullable(shape.number),
  situations: shape.list(Situation),
});
export type MakerCheck = ShapeValue<typeof readCheck>;
export type CheckedSituation = MakerCheck['situations'][number];

const Listed = shape.object({ situation: shape.text, meaning: shape.text });

/** What checks there are, whose is under way, and which makers were checked since the instance started. */
export const readCheckPlan = shape.object({
  running: shape.nullable(shape.text),
  checked: shape.optional(shape.list(shape.text), []),
  streams: shape.list(Listed),
  webhook: shape.list(Listed),
});
export type CheckPlan = ShapeValue<typeof readCheckPlan>;
