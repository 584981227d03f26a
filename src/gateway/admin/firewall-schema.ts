import { Type } from 'typebox';
import { ACTION_TYPES, CONDITION_TYPES, SCOPES, WINDOWS } from '../../platform/firewall/rule.ts';
import { KeyName, Slug, Time } from './platform-schema.ts';

const closed = { additionalProperties: false };
const word = (description: string) => Type.String({ maxLength: 200, description });

const Condition = Type.Object(
  {
    type: word(`One of ${CONDITION_TYPES.join(', ')}.`),
    name: Type.Optional(word("The header's name, with the type `header` only.")),
    values: Type.Array(Type.String({ maxLength: 1_000 }), {
      maxItems: 100,
      description:
        'It holds when one of them does: the beginnings of paths, names of keys, methods, ISO 3166 country codes, values of the header, or IP addresses and networks.',
    }),
  },
  closed,
);
const Groups = Type.Array(Type.Array(Condition, { maxItems: 100 }), {
  maxItems: 100,
  description: 'The rule matches when all conditions of one group hold. None: it matches always.',
});
const Action = Type.Object(
  {
    type: word(`One of ${ACTION_TYPES.join(', ')}.`),
    limit: Type.Optional(Type.Integer({ description: 'Requests in any window, with `rate-limit` only.' })),
    window: Type.Optional(word(`One of ${WINDOWS.join(', ')}, with \`rate-limit\` only.`)),
    per: Type.Optional(word(`Who is counted, one of ${SCOPES.join(', ')}, with \`rate-limit\` only.`)),
  },
  closed,
);
const Enabled = Type.Boolean({ description: 'True when absent. A rule that is off counts among the 50.' });

export const RuleParams = Type.Object({ organisation: Slug, team: Slug, rule: KeyName });

export const RuleBody = Type.Object(
  { name: KeyName, enabled: Type.Optional(Enabled), groups: Type.Optional(Groups), action: Action },
  closed,
);
/** What is not named stays as it is. */
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
    path: Type.String({ maxLength: 1_000, description: 'Decoded, without a query.' }),
    method: Type.Optional(word('GET when absent.')),
    key: Type.Optional(word("A key's name; none when absent.")),
    ip: Type.Optional(word('Not known when absent.')),
    country: Type.Optional(word('Not known when absent.')),
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
