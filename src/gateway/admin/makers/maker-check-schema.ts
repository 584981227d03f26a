import { Type } from 'typebox';
import { MAX_WAIT_SECONDS, SITUATIONS } from '../../../rfq/conformance/index.ts';

export const MakerCheckBody = Type.Object(
  {
    waitSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WAIT_SECONDS,
        description: `How long the maker has for each swap that it must not sign; default ${MAX_WAIT_SECONDS}.`,
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
      situation: Type.Enum(SITUATIONS),
      outcome: Type.Union([Type.Literal('passed'), Type.Literal('failed'), Type.Literal('skipped')]),
      detail: Type.String(),
    }),
    { description: 'One for each finished situation, in order.' },
  ),
});
