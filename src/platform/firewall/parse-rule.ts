import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../refusal.ts';
import { parseNetwork } from './networks.ts';
import {
  type Action,
  ACTION_TYPES,
  type Condition,
  CONDITION_TYPES,
  type ConditionType,
  type Group,
  SCOPES,
  WINDOWS,
} from './rule.ts';

/** A condition as it is sent: `name` with the type `header` only. */
export interface GivenCondition {
  readonly type: string;
  readonly name?: string;
  readonly values: readonly string[];
}

/** An action as it is sent: the last three with the type `rate-limit` only. */
export interface GivenAction {
  readonly type: string;
  readonly limit?: number;
  readonly window?: string;
  readonly per?: string;
}

const MAX_GROUPS = 10;
const MAX_CONDITIONS = 20;
const MAX_VALUES: Readonly<Record<ConditionType, number>> = {
  path: 50,
  key: 50,
  method: 7,
  country: 50,
  header: 5,
  ip: 50,
};
const MAX_VALUE_LENGTH = 200;
/** No plan admits more in a minute. */
const MAX_REQUESTS = 20_000;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const PATH = /^\/[^\s?#%\\]*$/;
const HEADER_NAME = /^[a-z0-9!#$&'*+.^_`|~-]{1,64}$/;
const HEADER_VALUE = /^[!-~]([ -~]*[!-~])?$/;
/** Rules are shown and written into the audit log, so they may not hold secrets; the others proxies set. */
const RESERVED_HEADERS =
  /^(x-api-key|authorization|proxy-.*|cookie|set-cookie|forwarded|x-forwarded-.*|x-real-ip|x-api-gateway-.*|x-ratelimit-.*|connection|content-length|transfer-encoding|upgrade|te|trailer)$/;

/**
 * Checks the conditions of a rule; header names become lower case.
 * @throws Refused saying what is wrong first
 */
export function parseGroups(given: readonly (readonly GivenCondition[])[]): readonly Group[] {
  if (given.length > MAX_GROUPS) {
    throw refused(`a rule may have ${MAX_GROUPS} groups of conditions at most, got ${given.length}`);
  }
  const conditions = given.flat().length;
  if (conditions > MAX_CONDITIONS) {
    throw refused(`a rule may have ${MAX_CONDITIONS} conditions at most, got ${conditions}`);
  }
  if (given.some((group) => group.length === 0)) {
    throw refused('a group without conditions would match always; leave all groups away when that is meant');
  }
  return given.map((group) => group.map(parseCondition));
}

/** @throws Refused saying what is wrong first */
export function parseAction({ type: text, limit, window, per }: GivenAction): Action {
  const type = oneOf('action.type', text, ACTION_TYPES);
  const isLimit = type === 'rate-limit';
  for (const [name, value] of Object.entries({ limit, window, per })) {
    if ((value !== undefined) === isLimit) continue;
    throw refused(
      isLimit ? `action.${name} is missing, which rate-limit needs` : `action.${name} belongs to rate-limit`,
    );
  }
  if (!isLimit) return { type };
  if (!Number.isInteger(limit) || limit === undefined || limit < 1 || limit > MAX_REQUESTS) {
    throw refused(
      `action.limit must be a whole number from 1 to ${MAX_REQUESTS}, got ${formatForError(limit)}`,
    );
  }
  return {
    type,
    limit,
    window: oneOf('action.window', window, WINDOWS),
    per: oneOf('action.per', per, SCOPES),
  };
}

/** @throws Refused when the rule would switch the whole firewall off */
export function checkTogether(groups: readonly Group[], action: Action): void {
  if (action.type === 'bypass' && groups.length === 0) {
    throw refused('a bypass needs at least one condition, because without any it would end the firewall');
  }
}

function parseCondition({ type: text, name, values }: GivenCondition): Condition {
  const type = oneOf('a condition’s type', text, CONDITION_TYPES);
  if (values.length < 1 || values.length > MAX_VALUES[type]) {
    throw refused(`a ${type} condition must have 1 to ${MAX_VALUES[type]} values, got ${values.length}`);
  }
  for (const value of values) checkValue(type, value);
  if (type === 'header') return { type, name: parseHeaderName(name ?? ''), values };
  if (name === undefined) return { type, name: null, values };
  throw refused(`a condition’s name belongs to the type header, got ${formatForError(name)} with ${type}`);
}

function checkValue(type: ConditionType, value: string): void {
  const right = demandOn(type, value);
  if (right !== null)
    throw refused(`a value of a ${type} condition must be ${right}, got ${formatForError(value)}`);
}

/** Null when the value is right. */
function demandOn(type: ConditionType, value: string): string | null {
  if (value.length > MAX_VALUE_LENGTH) return `at most ${MAX_VALUE_LENGTH} characters long`;
  switch (type) {
    case 'path':
      return PATH.test(value) ? null : 'the beginning of a decoded path, such as /swap, without a query';
    case 'method':
      return METHODS.includes(value) ? null : `one of ${METHODS.join(', ')}`;
    case 'country':
      return isCountry(value) ? null : 'a country code of ISO 3166 with two capital letters, such as CH';
    case 'header':
      return HEADER_VALUE.test(value) ? null : 'printable ASCII that neither begins nor ends with a space';
    case 'ip':
      parseNetwork(value);
      return null;
    case 'key':
      return value === '' ? "a key's name" : null;
  }
}

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || code === 'ZZ') return false;
  // A code that was given up, such as UK, would never match: databases use its successor.
  const [canonical] = Intl.getCanonicalLocales(`und-${code}`);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return canonical === `und-${code}` && names.of(code) !== undefined;
}

function parseHeaderName(given: string): string {
  const name = given.toLowerCase();
  if (!HEADER_NAME.test(name)) {
    throw refused(`a header condition needs the name of a header, got ${formatForError(given)}`);
  }
  if (RESERVED_HEADERS.test(name)) {
    throw refused(`the header ${name} is reserved and cannot be the condition of a rule`);
  }
  return name;
}

function oneOf<T extends string>(what: string, given: string | undefined, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === given);
  if (found !== undefined) return found;
  throw refused(`${what} must be one of ${allowed.join(', ')}, got ${formatForError(given)}`);
}

function refused(message: string): Refused {
  return new Refused('invalid-value', message);
}
