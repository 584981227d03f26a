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

export const MakerCheckAnswer = Type.Object({
  maker: Type.String(),
  running: Type.Boolean({ description: 'Whether the check is still running; more findings may follow.' }),
  passed: Type.Boolean({ description: 'Whether the check is over, and every situation passed.' }),
  findings: Type.Array(
    Type.Object({
      situation: Type.Enum([...new Set([...SITUATIONS, ...WEBHOOK_SITUATIONS])]),
      outcome: Type.Union([Type.Literal('passed'), Type.Literal('failed'), Type.Literal('skipped')]),
      detail: Type.String(),
    }),
    { description: 'One for each finished situation, in order.' },
  ),
});
