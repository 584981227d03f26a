import { Type } from 'typebox';

const closed = { additionalProperties: false };
const Mint = Type.String({ maxLength: 64, description: 'The mint of the token, base58.' });
const Level = Type.Enum(['verified', 'unverified', 'banned', 'listed'], {
  description: '`listed` leaves it to the list of known tokens. A banned token is never answered.',
});
const Tags = Type.Array(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }), {
  maxItems: 8,
  description: 'Further tags, such as `lst` or `stocks`.',
});

export const TokenParams = Type.Object({ mint: Mint });
export const TokenBody = Type.Object({ level: Level, tags: Type.Optional(Tags) }, closed);
export const TokenAnswer = Type.Object({
  mint: Type.String(),
  level: Level,
  tags: Type.Array(Type.String()),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'What was submitted and approved. Texts of strangers: escape them.',
  }),
});
export const TokensAnswer = Type.Object({ decisions: Type.Array(TokenAnswer) });

export const RequestParams = Type.Object({
  signature: Type.String({ maxLength: 100, description: 'The signature of the payment.' }),
});
export const RequestsQuery = Type.Object({
  state: Type.Optional(
    Type.Enum(['paying', 'pending', 'approved', 'rejected', 'failed'], { description: 'Default: pending.' }),
  ),
});
export const RequestAnswer = Type.Object({
  signature: Type.String(),
  mint: Type.String(),
  sender: Type.String(),
  currency: Type.String(),
  amount: Type.String({ description: 'Atoms of the token that was paid.' }),
  state: Type.String(),
  wantsVerification: Type.Boolean(),
  twitterHandle: Type.String(),
  senderTwitterHandle: Type.String(),
  description: Type.String(),
  details: Type.Union([
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    Type.Null({ description: 'The request is not about metadata.' }),
  ]),
  notes: Type.Record(Type.String(), Type.String()),
  createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
});
export const RequestsAnswer = Type.Object({ requests: Type.Array(RequestAnswer) });
