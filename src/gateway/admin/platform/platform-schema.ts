import { Type } from 'typebox';
import { DEFAULT_PAGE, MAX_PAGE } from '../../../platform/requests/paging.ts';
import { MAX_LIMIT, PLAN_NAMES } from '../../../platform/plans/plans.ts';

const closed = { additionalProperties: false };
export const Slug = Type.String({
  maxLength: 200,
  description: 'Lowercase letters, digits and hyphens, at most 48.',
});
const Plan = Type.String({ maxLength: 200, description: `One of ${PLAN_NAMES.join(', ')}.` });
export const KeyName = Type.String({
  maxLength: 200,
  description: '1 to 64 characters, unique in its team.',
});
export const Time = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Unix milliseconds.',
});
const OptionalTime = Type.Union([Time, Type.Null()]);
const Products = Type.Union([Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 }), Type.Null()], {
  description: 'Names of products; null: all. An unknown name is refused with the list of the known ones.',
});

/** The parameters of every list. */
export const page = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE,
      description: `Maximum number of entries; ${DEFAULT_PAGE} when absent.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: '`next` of the previous page; the first page when absent.',
    }),
  ),
};
export const PageQuery = Type.Object(page, closed);
export const Next = Type.Union([Type.String(), Type.Null()], {
  description: 'Cursor of the next page; null: there is none.',
});

export const OrganisationParams = Type.Object({ organisation: Slug });
export const TeamParams = Type.Object({ organisation: Slug, team: Slug });
export const KeyParams = Type.Object({ organisation: Slug, team: Slug, key: KeyName });

const buckets = {
  main: Type.Integer({ description: 'Requests in any 60 seconds.' }),
  execute: Type.Integer({ description: 'Executions in any 60 seconds.' }),
  submit: Type.Integer({ description: 'Transactions submitted for landing in any 60 seconds.' }),
};
export const PlanLimits = Type.Object(buckets);
const planLine = {
  name: Type.String(),
  ...buckets,
  usual: Type.Object(buckets, { description: 'The limits without changes by the operator.' }),
  changed: Type.Boolean({ description: 'Whether the operator has changed the limits.' }),
};
export const PlanParams = Type.Object({
  plan: Type.String({ maxLength: 48, description: 'A plan, or `keyless` or `keyless-local`.' }),
});
/** The lower bounds depend on the plan. */
const limit = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_LIMIT }));
export const PlanLimitsBody = Type.Object({ main: limit, execute: limit, submit: limit }, closed);

export const PlansAnswer = Type.Object({
  keyless: Type.Object(
    { main: Type.Integer(), local: Type.Integer() },
    {
      description:
        'Requests in any 60 seconds without a key; 0: a key is required. `local` holds for callers on the machine of the instance.',
    },
  ),
  withoutKey: Type.Array(Type.Object(planLine), {
    description:
      'The limits of callers without a key: `keyless`, and `keyless-local` on the machine of the instance.',
  }),
  plans: Type.Array(
    Type.Object({
      ...planLine,
      includedCredits: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Credits of a calendar month; null: unlimited.',
      }),
    }),
  ),
});

export const OrganisationBody = Type.Object({ slug: Slug, plan: Plan }, closed);
export const PlanBody = Type.Object({ plan: Plan }, closed);

const Use = Type.Object({
  current: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Requests of the last 60 seconds, through all instances that share a Valkey; null while Valkey does not answer.',
  }),
  limit: Type.Integer(),
});
/** The credits of a calendar month, in UTC. */
export const CreditsJson = Type.Object({
  plan: Type.String({ description: 'The plan that applies to the month.' }),
  since: Time,
  until: Time,
  used: Type.Integer(),
  included: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: unlimited.' }),
  overage: Type.Integer(),
});
const organisationLine = { slug: Type.String(), plan: Type.String(), createdAt: Time };
const use = {
  usage: Type.Object({ main: Use, execute: Use, submit: Use }),
  credits: Type.Optional(CreditsJson),
};
export const OrganisationJson = Type.Object({
  ...organisationLine,
  teams: Type.Array(Type.String()),
  ...use,
});
export const OrganisationsQuery = Type.Object(
  {
    ...page,
    use: Type.Optional(
      Type.Boolean({
        description:
          'Whether each line has the requests of the last 60 seconds and the credits of the month.',
      }),
    ),
  },
  closed,
);
export const OrganisationsAnswer = Type.Object({
  organisations: Type.Array(
    Type.Object({
      ...organisationLine,
      usage: Type.Optional(use.usage),
      credits: use.credits,
    }),
  ),
  next: Next,
});

export const TeamBody = Type.Object({ slug: Slug }, closed);
export const TeamAnswer = Type.Object({ slug: Type.String(), createdAt: Time });
export const TeamsAnswer = Type.Object({
  teams: Type.Array(
    Type.Object({
      slug: Type.String(),
      createdAt: Time,
      keys: Type.Integer({ description: 'How many keys it has.' }),
      members: Type.Integer({ description: 'How many members belong to it.' }),
      rules: Type.Integer({ description: 'How many firewall rules it has.' }),
    }),
  ),
  next: Next,
});

export const KeyBody = Type.Object(
  { name: KeyName, products: Type.Optional(Products), expiresAt: Type.Optional(OptionalTime) },
  closed,
);
/** A field that is left out stays as it is. */
export const KeyChangeBody = Type.Object(
  { name: Type.Optional(KeyName), products: Type.Optional(Products), expiresAt: Type.Optional(OptionalTime) },
  closed,
);
const keyFields = {
  name: Type.String(),
  excerpt: Type.Union([Type.String(), Type.Null()], {
    description: 'The first and last characters of the key; null: they were not stored when it was created.',
  }),
  products: Products,
  expiresAt: OptionalTime,
  lastUsedAt: OptionalTime,
  createdAt: Time,
};
export const KeyAnswer = Type.Object(keyFields);
export const KeysAnswer = Type.Object({ keys: Type.Array(KeyAnswer), next: Next });
export const OrganisationKeysAnswer = Type.Object({
  keys: Type.Array(Type.Object({ team: Type.String(), ...keyFields })),
  next: Next,
});
export const NewKeyAnswer = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'The key itself, shown once.' }),
});

export const Deleted = Type.Null({ description: 'Deleted.' });

const filter = (description: string) => Type.Optional(Type.String({ maxLength: 300, description }));
export const AuditQuery = Type.Object(
  {
    ...page,
    actor: filter('Who made the change, as `operator` or `acme/ann`.'),
    action: filter('What was done, as `api_key.created`, or `api_key` for all changes of keys.'),
    subject: filter('What was changed, or contains it: `acme`, `acme/web`, `acme/web/ci`.'),
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
