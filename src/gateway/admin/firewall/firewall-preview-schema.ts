import { Type } from 'typebox';
import { DOUBTS } from '../../../platform/firewall/preview/doubt.ts';
import { EFFECTS } from '../../../platform/firewall/preview/predict-requests.ts';
import { MAX_PREVIEWED } from '../../../platform/firewall/preview/predict-firewall.ts';
import { PREVIEW_CHANGES } from '../../../platform/firewall/preview/preview-summary.ts';
import { RuleBody } from '../platform/firewall-schema.ts';
import { KeyName, Time } from '../platform/platform-schema.ts';

const closed = { additionalProperties: false };
const { groups, action } = RuleBody.properties;
const Requests = (description: string) => Type.Integer({ description });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });

export const PreviewBody = Type.Object(
  {
    rule: Type.Optional(
      Type.Object(
        { groups, action },
        { ...closed, description: 'The rule that is tried, as if it were switched on. None when absent.' },
      ),
    ),
    replaces: Type.Optional({
      ...KeyName,
      description:
        'The name of a rule that `rule` takes the place of, with its age; without `rule`, one that would be switched off.',
    }),
    since: Type.Optional(
      Type.Integer({ ...Time, description: 'Unix milliseconds; 24 hours ago when absent.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PREVIEWED,
        description: `How many requests are looked at, the newest; ${MAX_PREVIEWED} when absent.`,
      }),
    ),
  },
  closed,
);

const Top = Type.Array(Type.Object({ name: Type.String(), requests: Type.Integer() }));
const Sample = Type.Object({
  at: Time,
  requestId: Type.String(),
  method: Type.String(),
  path: Type.String(),
  key: Type.String({ description: 'Its name; its id if it was deleted since.' }),
  client: Type.String({ description: 'An IPv4 address or an IPv6 /64 network.' }),
  country: orNull(Type.String(), 'Null: the country is unknown.'),
  decision: Type.String({ description: 'What happened to the request, as in the request log.' }),
  change: Type.String({ description: `One of ${PREVIEW_CHANGES.join(', ')}.` }),
  effect: orNull(Type.String({ description: `One of ${EFFECTS.join(', ')}.` }), 'Null: the log cannot tell.'),
  rule: orNull(
    Type.String(),
    'The rule that decides, an empty name for the rule that is tried; null: none does.',
  ),
});

export const PreviewAnswer = Type.Object({
  since: Time,
  until: Time,
  considered: Requests('Requests that the rules were tried with.'),
  oldest: orNull(Time, 'When the oldest of them was answered; null without requests.'),
  isCut: Type.Boolean({ description: 'Whether older requests of the range were not looked at.' }),
  refusedBefore: Requests(
    'Requests that never came to the firewall, because their key may not use the product.',
  ),
  stopped: Type.Object({
    requests: Requests('Requests that passed and would be stopped.'),
    byRule: Requests('Of these, those that the tried rule stops.'),
    mayBeByRule: Requests(
      'Further requests that passed and that the tried rule may stop: the log cannot tell.',
    ),
    byLimit: Requests('Of these, those that a rate limit stops, with 429.'),
  }),
  letThrough: Requests('Requests that the firewall stopped and would let through.'),
  stillStopped: Requests('Requests that were refused, and would be stopped by the firewall.'),
  unchanged: Requests('Requests for which nothing changes.'),
  unknown: Type.Object({
    requests: Requests(
      'Requests that the tried rule may concern, and of which the log cannot tell what would happen.',
    ),
    reasons: Type.Array(
      Type.Object({
        reason: Type.String({
          description: `One of ${DOUBTS.join(', ')} for a condition on what the log does not keep, or \`limit\` for the count of a rate limit.`,
        }),
        requests: Type.Integer(),
      }),
    ),
    rules: Type.Array(Type.String(), {
      description:
        'The rules with the conditions that the log leaves open; an empty name for the tried rule.',
    }),
  }),
  limitsOpenUntil: orNull(
    Time,
    'Until then rate limits may have counted requests that were not looked at, and more may have been stopped; null: they have counted all.',
  ),
  own: Type.Object(
    {
      client: Type.String(),
      considered: Requests('Requests from there.'),
      stopped: Requests('Of these, those that passed and would be stopped.'),
    },
    { description: 'Requests from the address that asks for the preview.' },
  ),
  rules: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Empty for the tried rule, unless it takes the place of another.' }),
      isTried: Type.Boolean({ description: 'Whether it is the tried rule.' }),
      expression: Type.String({ description: 'The rule as a sentence.' }),
      matched: Requests('Requests that it matches.'),
      mayMatch: Requests('Further requests of which the log cannot tell.'),
      decided: Requests('Requests that it decides.'),
      mayDecide: Requests('Further requests that it may decide.'),
      stopped: Requests('Requests that passed and that it would stop.'),
    }),
    { description: 'The rules that were tried together, the oldest first.' },
  ),
  top: Type.Object(
    { paths: Top, keys: Top, clients: Top },
    { description: 'What the requests that passed and would be stopped have in common.' },
  ),
  samples: Type.Array(Sample, {
    description:
      'What changes first, then what is unknown, then what the tried rule matches; the newest first, 100 at most.',
  }),
});
