import { Type } from 'typebox';
import { MAX_WAIT_SECONDS, SITUATIONS, WEBHOOK_SITUATIONS } from '../../../rfq/conformance/trials/report.ts';

export const MakerCheckBody = Type.Object(
  {
    waitSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WAIT_SECONDS,
        description: `How long the maker has for each swap that it must not sign; default ${MAX_WAIT_SECONDS}.`,
      }),
    ),
    kind: Type.Optional(
      Type.Union([Type.Literal('streams'), Type.Literal('webhook')], {
        description:
          'Whether the streams of the maker or its webhook is checked; default: the webhook, if it has one and does not stream.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Name = Type.Enum([...new Set([...SITUATIONS, ...WEBHOOK_SITUATIONS])]);
const Meaning = Type.String({ description: 'When the maker passes it, as a sentence.' });
const Time = (description: string) => Type.Integer({ minimum: 0, description });
const Situations = Type.Array(Type.Object({ situation: Name, meaning: Meaning }), {
  description: 'In the order in which a maker is put through them.',
});

export const MakerChecksAnswer = Type.Object({
  running: Type.Union([Type.String(), Type.Null()], {
    description: 'The id of the maker whose check is running; null: none is, and one may begin.',
  }),
  checked: Type.Array(Type.String(), {
    description: 'The ids of the makers that were checked since the start, the last one first.',
  }),
  streams: Situations,
  webhook: Situations,
});

export const MakerCheckAnswer = Type.Object({
  maker: Type.String(),
  running: Type.Boolean({ description: 'Whether the check is still running; more findings may follow.' }),
  passed: Type.Boolean({ description: 'Whether the check is over, and every situation passed.' }),
  findings: Type.Array(
    Type.Object({
      situation: Name,
      outcome: Type.Union([Type.Literal('passed'), Type.Literal('failed'), Type.Literal('skipped')]),
      detail: Type.String(),
    }),
    { description: 'One for each finished situation, in order.' },
  ),
  kind: Type.Enum(['streams', 'webhook'], {
    description: 'Whether its streams were checked or its webhook.',
  }),
  startedAt: Time('Unix milliseconds.'),
  endedAt: Type.Union([Time('Unix milliseconds.'), Type.Null()], {
    description: 'Null while the check is running.',
  }),
  situations: Type.Array(
    Type.Object({
      situation: Name,
      meaning: Meaning,
      outcome: Type.Enum(['passed', 'failed', 'skipped', 'running', 'waiting', 'missing'], {
        description: '`missing`: the check ended before this situation.',
      }),
      detail: Type.Union([Type.String(), Type.Null()], {
        description: 'What was observed; null before the end of the situation.',
      }),
    }),
    { description: 'All situations of the check, in order.' },
  ),
});
