import { Type } from 'typebox';
import { PLAN_NAMES } from '../../platform/plans.ts';
import { PRODUCT_NAMES } from '../../platform/products.ts';

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
  description: `Some of ${PRODUCT_NAMES.join(', ')}; null: all.`,
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
    }),
  ),
});

export const OrganisationBody = Type.Object({ slug: Slug, plan: Plan }, closed);
export const PlanBody = Type.Object({ plan: Plan }, closed);
export const OrganisationLine = Type.Object({ slug: Type.String(), plan: Type.String(), createdAt: Time });
export const OrganisationsAnswer = Type.Object({ organisations: Type.Array(OrganisationLine) });

const Use = Type.Object({
  current: Type.Integer({ description: 'Requests of the last 60 seconds, through this instance.' }),
  limit: Type.Integer(),
});
export const OrganisationJson = Type.Object({
  slug: Type.String(),
  plan: Type.String(),
  createdAt: Time,
  teams: Type.Array(Type.String()),
  usage: Type.Object({ main: Use, execute: Use }),
});

export const TeamBody = Type.Object({ slug: Slug }, closed);
export const TeamAnswer = Type.Object({ slug: Type.String(), createdAt: Time });

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
export const KeysAnswer = Type.Object({ keys: Type.Array(KeyAnswer) });
export const NewKeyAnswer = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'The key itself, shown this once.' }),
});

export const Deleted = Type.Null({ description: 'Deleted.' });

export const AuditQuery = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: '100 when absent.' })) },
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
});
