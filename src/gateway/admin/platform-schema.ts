import { Type } from 'typebox';
import { DEFAULT_PAGE, MAX_PAGE } from '../../platform/paging.ts';
import { PLAN_NAMES } from '../../platform/plans/plans.ts';

const closed = { additionalProperties: false };
export const Slug = Type.String({
  maxLength: 200,
  description: 'Lowercase letters, digits and hyphens, at most 48.',
});
const Plan = Type.String({ maxLength: 200, description: `One of ${PLAN_NAMES.join(', ')}.` });
export const KeyName = Type.String({ maxLength: 200, description: '1 to 64 characters, once in a team.' });
export const Time = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Unix milliseconds.',
});
const OptionalTime = Type.Union([Time, Type.Null()]);
const Products = Type.Union([Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 }), Type.Null()], {
  description:
    'Names of products; null: all. A name that is not registered is refused with the list of those that are.',
});

/** Of every list. */
export const page = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE,
      description: `Most entries; ${DEFAULT_PAGE} when absent.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: '`next` of the page before; absent: the first.',
    }),
  ),
};
export const PageQuery = Type.Object(page, closed);
export const Next = Type.Union([Type.String(), Type.Null()], {
  description: 'Cursor of the next page; null: none.',
});

export const OrganisationParams = Type.Object({ organisation: Slug });
export const TeamParams = Type.Object({ organisation: Slug, team: Slug });
export const KeyParams = Type.Object({ organisation: Slug, team: Slug, key: KeyName });

export const PlansAnswer = Type.Object({
  plans: Type.Array(
    Type.Object({
      name: Type.String(),
      main: Type.Integer({ description: 'Requests in any 60 seconds.' }),
      execute: Type.Integer({ description: 'Executions in any 60 seconds.' }),
      includedCredits: Type.Union([Type.Integer(), Type.Null()], {
        description: 'In a calendar month; null: not bounded.',
      }),
    }),
  ),
});

export const OrganisationBody = Type.Object({ slug: Slug, plan: Plan }, closed);
export const PlanBody = Type.Object({ plan: Plan }, closed);
export const OrganisationLine = Type.Object({ slug: Type.String(), plan: Type.String(), createdAt: Time });
export const OrganisationsAnswer = Type.Object({ organisations: Type.Array(OrganisationLine), next: Next });

const Use = Type.Object({
  current: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Requests of the last 60 seconds, through all instances that share a Valkey; null while that does not answer.',
  }),
  limit: Type.Integer(),
});
/** Of the calendar month, by UTC. */
export const CreditsJson = Type.Object({
  plan: Type.String({ description: 'By which the month is judged.' }),
  since: Time,
  until: Time,
  used: Type.Integer(),
  included: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: not bounded.' }),
  overage: Type.Integer(),
});
export const OrganisationJson = Type.Object({
  slug: Type.String(),
  plan: Type.String(),
  createdAt: Time,
  teams: Type.Array(Type.String()),
  usage: Type.Object({ main: Use, execute: Use }),
  credits: Type.Optional(CreditsJson),
});

export const TeamBody = Type.Object({ slug: Slug }, closed);
export const TeamAnswer = Type.Object({ slug: Type.String(), createdAt: Time });
export const TeamsAnswer = Type.Object({ teams: Type.Array(TeamAnswer), next: Next });

export const KeyBody = Type.Object(
  { name: KeyName, products: Type.Optional(Products), expiresAt: Type.Optional(OptionalTime) },
  closed,
);
/** What is not named stays as it is. */
export const KeyChangeBody = Type.Object(
  { products: Type.Optional(Products), expiresAt: Type.Optional(OptionalTime) },
  closed,
);
const keyFields = {
  name: Type.String(),
  products: Products,
  expiresAt: OptionalTime,
  lastUsedAt: OptionalTime,
  createdAt: Time,
};
export const KeyAnswer = Type.Object(keyFields);
export const KeysAnswer = Type.Object({ keys: Type.Array(KeyAnswer), next: Next });
export const NewKeyAnswer = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'The key itself, shown this once.' }),
});

export const Deleted = Type.Null({ description: 'Deleted.' });

const filter = (description: string) => Type.Optional(Type.String({ maxLength: 300, description }));
export const AuditQuery = Type.Object(
  {
    ...page,
    actor: filter('Who, as `operator` or `acme/ann`.'),
    action: filter('What, as `key.create`, or `key` for all that was done to keys.'),
    subject: filter('Of what, or in what: `acme`, `acme/web`, `acme/web/ci`.'),
    since: Type.Optional(Time),
    until: Type.Optional(Time),
  },
  closed,
);
const Side = Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]);
export const AuditAnswer = Type.Object({
  entries: Type.Array(
    Type.Object({
      at: Time,
      actor: Type.String(),
      origin: Type.String(),
      action: Type.String(),
      subject: Type.String(),
      before: Side,
      after: Side,
    }),
  ),
  next: Next,
});
