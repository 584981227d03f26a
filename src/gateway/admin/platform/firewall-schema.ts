import { Type } from 'typebox';
import { ACTION_TYPES, CONDITION_TYPES, SCOPES } from '../../../platform/firewall/rule.ts';
import { KeyName, Slug, Time } from './platform-schema.ts';

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ maxLength: 200, description });

const Condition = Type.Object(
  {
    type: text(`One of ${CONDITION_TYPES.join(', ')}.`),
    name: Type.Optional(text("The header's name, with the type `header` only.")),
    values: Type.Array(Type.String({ maxLength: 1_000 }), {
      maxItems: 100,
      description:
        'The condition holds if one of the values matches: beginnings of paths, names of keys, methods, ISO 3166 country codes, values of the header, or IP addresses and networks.',
    }),
  },
  closed,
);
const Groups = Type.Array(Type.Array(Condition, { maxItems: 100 }), {
  maxItems: 100,
  description: 'The rule matches if all conditions of one group hold. Without groups it always matches.',
});
const Action = Type.Object(
  {
    type: text(`One of ${ACTION_TYPES.join(', ')}.`),
    limit: Type.Optional(Type.Integer({ description: 'Requests in any window, with `rate-limit` only.' })),
    window: Type.Optional(
      text(
        'Seconds or minutes from `1s` to `60m`, with `rate-limit` only. `second` and `minute` are also accepted.',
      ),
    ),
    per: Type.Optional(text(`Who is counted, one of ${SCOPES.join(', ')}, with \`rate-limit\` only.`)),
  },
  closed,
);
const Enabled = Type.Boolean({ description: 'True when absent. A disabled rule counts towards the 50 too.' });

export const RuleParams = Type.Object({ organisation: Slug, team: Slug, rule: KeyName });

export const RuleBody = Type.Object(
  { name: KeyName, enabled: Type.Optional(Enabled), groups: Type.Optional(Groups), action: Action },
  closed,
);
/** A field that is left out stays as it is. */
export const RuleChangeBody = Type.Object(
  { enabled: Type.Optional(Enabled), groups: Type.Optional(Groups), action: Type.Optional(Action) },
  closed,
);

export const RuleAnswer = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  expression: Type.String({ description: 'The rule as a sentence.' }),
  groups: Groups,
  action: Action,
  createdAt: Time,
});
export const RulesAnswer = Type.Object({
  rules: Type.Array(RuleAnswer, { description: 'The oldest first.' }),
});

export const TryBody = Type.Object(
  {
    path: Type.String({ maxLength: 1_000, description: 'As a client would send it.' }),
    method: Type.Optional(text('GET when absent.')),
    key: Type.Optional(text("A key's name; one that no rule names when absent.")),
    ip: Type.Optional(text('Unknown when absent.')),
    country: Type.Optional(text('Unknown when absent.')),
    headers: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 200 }))),
  },
  closed,
);
export const TryAnswer = Type.Object({
  matched: Type.Array(Type.String(), { description: 'Names of the rules that match, the oldest first.' }),
  decided: Type.Union([
    Type.Object({ name: Type.String(), action: Type.String() }),
    Type.Null({ description: 'No rule matches.' }),
  ]),
});
