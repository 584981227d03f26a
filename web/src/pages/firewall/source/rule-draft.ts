import { checkNetwork } from './check-network.ts';
import { isCountryCode } from './countries.ts';
import type { FirewallRule } from './firewall-shapes.ts';

/** The kinds of conditions, in the order in which they are offered. */
export const KINDS = ['path', 'method', 'key', 'ip', 'country', 'header'] as const;
export type ConditionKind = (typeof KINDS)[number];

/** What can happen to a request, the strongest first. */
export const ACTIONS = ['bypass', 'deny', 'rate-limit', 'log'] as const;
export type ActionKind = (typeof ACTIONS)[number];

export interface DraftCondition {
  /** Tells conditions apart while they are edited. */
  readonly id: number;
  readonly kind: ConditionKind;
  /** The name of the header. */
  readonly name: string;
  readonly values: readonly string[];
}

export interface DraftAction {
  readonly kind: ActionKind;
  /** Texts, as they are typed. */
  readonly limit: string;
  readonly window: string;
  readonly unit: 's' | 'm';
  readonly per: string;
}

/** A rule as it is built. */
export interface RuleDraft {
  readonly name: string;
  readonly groups: readonly (readonly DraftCondition[])[];
  readonly action: DraftAction;
}

/** A rule as the admin interface takes it, without its name. */
export interface RuleTermsJson {
  readonly groups: readonly (readonly { type: string; name?: string; values: readonly string[] }[])[];
  readonly action: { type: string; limit?: number; window?: string; per?: string };
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export const MAX_GROUPS = 10;
export const MAX_CONDITIONS = 20;
export const MAX_VALUES: Readonly<Record<ConditionKind, number>> = {
  path: 50,
  method: 7,
  key: 50,
  ip: 50,
  country: 50,
  header: 5,
};
const MAX_LENGTH = 200;
const MAX_LIMIT = 20_000;
const MAX_WINDOW_SECONDS = 3_600;
const PATH = /^\/[^\s?#%\\]*$/;
const HEADER_NAME = /^[a-z0-9!#$&'*+.^_`|~-]{1,64}$/i;
const HEADER_VALUE = /^[!-~]([ -~]*[!-~])?$/;

const NO_ACTION: DraftAction = { kind: 'deny', limit: '60', window: '60', unit: 's', per: 'ip' };

/** A rule that nothing was said of: it denies, and has one condition on the path without a value. */
export function createDraft(): RuleDraft {
  return { name: '', groups: [[createCondition('path')]], action: NO_ACTION };
}

let made = 0;

export function createCondition(
  kind: ConditionKind,
  values: readonly string[] = [],
  name = '',
): DraftCondition {
  made++;
  return { id: made, kind, name, values };
}

/** Returns a rule for editing. What this page does not know of a newer server's rule makes it null: it cannot be edited here. */
export function toDraft({ name, groups, action }: FirewallRule): RuleDraft | null {
  const kind = ACTIONS.find((one) => one === action.type);
  const kinds = groups.flat().map(({ type }) => KINDS.find((one) => one === type));
  if (kind === undefined || kinds.includes(undefined)) return null;
  const seconds = Number.parseInt(action.window, 10) || 60;
  const isMinutes = seconds % 60 === 0;
  return {
    name,
    groups: groups.map((group) =>
      group.map((one) => createCondition(one.type as ConditionKind, one.values, one.name)),
    ),
    action:
      kind === 'rate-limit'
        ? {
            kind,
            limit: String(action.limit),
            window: String(isMinutes ? seconds / 60 : seconds),
            unit: isMinutes ? 'm' : 's',
            per: action.per,
          }
        : { ...NO_ACTION, kind },
  };
}

/** Returns a rule as the admin interface takes it; null while something is missing or wrong. */
export function toRuleTerms(draft: RuleDraft): RuleTermsJson | null {
  if (findDraftProblem(draft) !== null) return null;
  const { groups, action } = draft;
  return {
    groups: groups.map((group) =>
      group.map(({ kind, name, values }) =>
        kind === 'header' ? { type: kind, name: name.trim().toLowerCase(), values } : { type: kind, values },
      ),
    ),
    action:
      action.kind === 'rate-limit'
        ? {
            type: action.kind,
            limit: Number(action.limit),
            window: `${action.window}${action.unit}`,
            per: action.per,
          }
        : { type: action.kind },
  };
}

/** Says what is missing or wrong before a rule can be tried; null: nothing. */
export function findDraftProblem({ groups, action }: RuleDraft): string | null {
  for (const { kind, name, values } of groups.flat()) {
    if (kind === 'header' && findHeaderProblem(name) !== null)
      return 'Name the header of each header condition.';
    if (values.length === 0) return `Give the ${KIND_NAMES[kind]} condition a value.`;
  }
  if (action.kind === 'bypass' && groups.length === 0)
    return 'A bypass needs a condition: without one it would end the firewall.';
  return findActionProblem(action);
}

/** What each kind of condition is called within a sentence. */
export const KIND_NAMES: Readonly<Record<ConditionKind, string>> = {
  path: 'path',
  method: 'method',
  key: 'key',
  ip: 'address',
  country: 'country',
  header: 'header',
};

/** Says what is wrong with the numbers of a rate limit; null: nothing. */
export function findActionProblem({ kind, limit, window, unit }: DraftAction): string | null {
  if (kind !== 'rate-limit') return null;
  const requests = /^\d{1,5}$/.test(limit) ? Number(limit) : 0;
  if (requests < 1 || requests > MAX_LIMIT) return `The limit is a whole number from 1 to ${MAX_LIMIT}.`;
  const seconds = /^\d{1,4}$/.test(window) ? Number(window) * (unit === 'm' ? 60 : 1) : 0;
  return seconds >= 1 && seconds <= MAX_WINDOW_SECONDS ? null : 'The window is from 1 second to 60 minutes.';
}

/** Says what is wrong with the name of a header; null: nothing. */
export function findHeaderProblem(name: string): string | null {
  return HEADER_NAME.test(name.trim()) ? null : 'Enter the name of a header, such as x-app.';
}

/** Says what is wrong with a value of a condition; null: nothing. */
export function findValueProblem(kind: ConditionKind, value: string): string | null {
  if (value.length > MAX_LENGTH) return `At most ${MAX_LENGTH} characters.`;
  switch (kind) {
    case 'path':
      return PATH.test(value) ? null : 'The beginning of a path, such as /swap, decoded and without a query.';
    case 'country':
      return isCountryCode(value) ? null : 'Choose a country, or enter its two letters, such as CH.';
    case 'header':
      return HEADER_VALUE.test(value) ? null : 'Printable ASCII without spaces at its ends.';
    case 'ip':
      return checkNetwork(value);
    default:
      return value === '' ? 'Choose one.' : null;
  }
}
