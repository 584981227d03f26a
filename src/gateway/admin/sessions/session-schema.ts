import { Type } from 'typebox';
import { MeAnswer } from '../platform/member-schema.ts';
import { Time } from '../platform/platform-schema.ts';

/** How somebody who uses the operator's credential may be named. */
const PERSON = '^[\\p{L}\\p{N}][\\p{L}\\p{N} .@_-]{0,63}$';

export const SignInBody = Type.Object(
  {
    credential: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The operator’s credential, or a member’s token.',
    }),
    name: Type.Optional(
      Type.String({
        pattern: PERSON,
        maxLength: 64,
        description:
          'Who uses the operator’s credential, as the audit log names them: `operator (ann)`. A member’s token has a name.',
      }),
    ),
  },
  { additionalProperties: false },
);

const session = {
  ...MeAnswer.properties,
  expiresAt: Type.Union([Time, Type.Null()], {
    description:
      'When the session ends however much it is used, in Unix milliseconds; null: the request has a credential of its own.',
  }),
};
export const SessionAnswer = Type.Object(session);
export const NewSessionAnswer = Type.Object({
  ...session,
  pageToken: Type.String({
    description: 'Shown once. Each request of the session sends it in the header `x-sluice-session`.',
  }),
});
