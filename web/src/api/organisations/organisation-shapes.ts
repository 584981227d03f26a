import { shape, type ShapeValue } from '../../base/json-shape.ts';

const readUse = shape.object({ current: shape.nullable(shape.number), limit: shape.number });
const readPlanUse = shape.object({ main: readUse, execute: readUse, submit: readUse });

/** Reads the credits of a calendar month. */
export const readCredits = shape.object({
  plan: shape.text,
  since: shape.number,
  until: shape.number,
  used: shape.number,
  /** Null: unlimited. */
  included: shape.nullable(shape.number),
  overage: shape.number,
});

const readOrganisationLine = shape.object({
  slug: shape.text,
  plan: shape.text,
  createdAt: shape.number,
  usage: shape.nullable(readPlanUse),
  credits: shape.nullable(readCredits),
});

export const readOrganisationPage = shape.object({
  organisations: shape.list(readOrganisationLine),
  next: shape.nullable(shape.text),
});

export const readOrganisationView = shape.object({
  slug: shape.text,
  plan: shape.text,
  createdAt: shape.number,
  usage: readPlanUse,
  credits: shape.nullable(readCredits),
});

export const readTeamPage = shape.object({
  teams: shape.list(
    shape.object({
      slug: shape.text,
      createdAt: shape.number,
      keys: shape.number,
      members: shape.number,
      rules: shape.number,
    }),
  ),
});

const key = {
  name: shape.text,
  /** Null: it was made by a version that stored none. */
  excerpt: shape.nullable(shape.text),
  /** Null: every product. */
  products: shape.nullable(shape.list(shape.text)),
  expiresAt: shape.nullable(shape.number),
  lastUsedAt: shape.nullable(shape.number),
  createdAt: shape.number,
};

export const readTeamKeyPage = shape.object({
  keys: shape.list(shape.object(key)),
  next: shape.nullable(shape.text),
});

export const readOrganisationKeyPage = shape.object({
  keys: shape.list(shape.object({ team: shape.text, ...key })),
  next: shape.nullable(shape.text),
});

/** Reads the answer to the creation of a key, with the key itself. */
export const readNewKey = shape.object({ ...key, key: shape.text });

export const readMemberPage = shape.object({
  members: shape.list(
    shape.object({
      name: shape.text,
      role: shape.text,
      createdAt: shape.number,
      tokenExpiresAt: shape.nullable(shape.number),
      tokenLastUsedAt: shape.nullable(shape.number),
      teams: shape.list(shape.text),
    }),
  ),
});

export const readInvitationPage = shape.object({
  invitations: shape.list(
    shape.object({
      name: shape.text,
      role: shape.text,
      createdAt: shape.number,
      expiresAt: shape.number,
    }),
  ),
});

/** Reads the answer to something that gives a token, which is shown once. */
export const readTokenAnswer = shape.object({ token: shape.text });

const limits = { main: shape.number, execute: shape.number, submit: shape.number };
const planLine = {
  name: shape.text,
  ...limits,
  usual: shape.object(limits),
  changed: shape.flag,
};

export const readPlanLists = shape.object({
  withoutKey: shape.list(shape.object(planLine)),
  plans: shape.list(shape.object({ ...planLine, includedCredits: shape.nullable(shape.number) })),
});

/** Reads of the firewall rules what says which keys they name. */
export const readRuleNames = shape.object({
  rules: shape.list(
    shape.object({
      name: shape.text,
      enabled: shape.flag,
      groups: shape.list(shape.list(shape.object({ type: shape.text, values: shape.list(shape.text) }))),
    }),
  ),
});

export const readUsageAnswer = shape.object({
  month: readCredits,
  months: shape.list(readCredits),
  rows: shape.list(
    shape.object({
      of: shape.text,
      /** The team of a key; null: the key was deleted, or the rows are of something else. */
      team: shape.nullable(shape.text),
      requests: shape.number,
      credits: shape.number,
      errors: shape.number,
    }),
  ),
});

export type PlanUse = ShapeValue<typeof readPlanUse>;
export type MonthCredits = ShapeValue<typeof readCredits>;
export type OrganisationLine = ShapeValue<typeof readOrganisationLine>;
export type OrganisationView = ShapeValue<typeof readOrganisationView>;
export type TeamLine = ShapeValue<typeof readTeamPage>['teams'][number];
export type KeyLine = ShapeValue<typeof readOrganisationKeyPage>['keys'][number];
export type MemberLine = ShapeValue<typeof readMemberPage>['members'][number];
export type InvitationLine = ShapeValue<typeof readInvitationPage>['invitations'][number];
export type PlanLine = ShapeValue<typeof readPlanLists>['plans'][number];
export type KeylessLine = ShapeValue<typeof readPlanLists>['withoutKey'][number];
export type UsageView = ShapeValue<typeof readUsageAnswer>;
