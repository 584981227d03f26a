import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../../common/refusal.ts';
import { parseNetwork } from './networks.ts';
import {
  type RuleAction,
  ACTION_TYPES,
  type RuleCondition,
  CONDITION_TYPES,
  type ConditionType,
  type ConditionGroup,
  SCOPES,
} from './rule.ts';

/** A condition as clients send it. Only the type `header` has a `name`. */
export interface GivenCondition {
  readonly type: string;
  readonly name?: string;
  readonly values: readonly string[];
}

/** An action as clients send it. Only the type `rate-limit` has the last three fields. */
export interface GivenAction {
  readonly type: string;
  readonly limit?: number;
  /** A number of seconds or minutes, such as `30s` or `5m`; `second` and `minute` mean `1s` and `60s`. */
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
/** The largest number of header values that the conditions of one group may have together. */
const MAX_HEADER_VALUES = 5;
/** No plan admits more requests in a minute. */
const MAX_REQUESTS = 20_000;

const WINDOW = /^(\d{1,5})([sm])$/;
const MAX_WINDOW_SECONDS = 3_600;
/** Windows that earlier versions accepted, before any number of seconds was possible. */
const NAMED_WINDOWS: ReadonlyMap<string, string> = new Map([
  ['second', '1s'],
  ['minute', '60s'],
]);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const PATH = /^\/[^\s?#%\\]*$/;
const HEADER_NAME = /^[a-z0-9!#$&'*+.^_`|~-]{1,64}$/;
const HEADER_VALUE = /^[!-~]([ -~]*[!-~])?$/;
/**
 * Rules are listed and written to the audit log, so they must not contain secrets. The other reserved headers are set
 * by proxies.
 */
const RESERVED_HEADERS =
  /^(host|x-api-key|authorization|proxy-.*|cookie|set-cookie|forwarded|x-forwarded-.*|x-real-ip|x-api-gateway-.*|x-ratelimit-.*|connection|content-length|transfer-encoding|upgrade|te|trailer)$/;

/**
 * Checks the conditions of a rule. Names of headers are converted to lower case.
 * @throws Refused with the first problem
 */
export function parseGroups(given: readonly (readonly GivenCondition[])[]): readonly ConditionGroup[] {
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

/** @throws Refused with the first problem */
export function parseAction({ type: text, limit, window, per }: GivenAction): RuleAction {
  const type = parseChoice('action.type', text, ACTION_TYPES);
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
    windowSeconds: parseWindow(window ?? ''),
    per: parseChoice('action.per', per, SCOPES),
  };
}

/** Returns the action as clients send it. */
export function toGivenAction(action: RuleAction): GivenAction {
  if (action.type !== 'rate-limit') return action;
  const { windowSeconds, ...rest } = action;
  return { ...rest, window: `${windowSeconds}s` };
}

/**
 * Checks requirements that apply to new conditions only, so that rules of earlier versions stay in force.
 * @throws Refused when a header is reserved, or a group has too many header values
 */
export function checkNewGroups(groups: readonly ConditionGroup[]): void {
  for (const group of groups) {
    const headers = group.filter(({ type }) => type === 'header');
    const reserved = headers.find(({ name }) => RESERVED_HEADERS.test(name ?? ''));
    if (reserved !== undefined) {
      throw refused(`the header ${reserved.name} is reserved and cannot be the condition of a rule`);
    }
    const values = headers.flatMap((header) => header.values).length;
    if (values > MAX_HEADER_VALUES) {
      throw refused(`a group may have ${MAX_HEADER_VALUES} header values at most, got ${values}`);
    }
  }
}

/** @throws Refused when the rule would switch the whole firewall off */
export function checkTogether(groups: readonly ConditionGroup[], action: RuleAction): void {
  if (action.type === 'bypass' && groups.length === 0) {
    throw refused('a bypass needs at least one condition, because without any it would end the firewall');
  }
}

function parseCondition({ type: text, name, values }: GivenCondition): RuleCondition {
  const type = parseChoice('a condition’s type', text, CONDITION_TYPES);
  if (values.length < 1 || values.length > MAX_VALUES[type]) {
    throw refused(`a ${type} condition must have 1 to ${MAX_VALUES[type]} values, got ${values.length}`);
  }
  for (const value of values) checkValue(type, value);
  if (type === 'header') return { type, name: parseHeaderName(name ?? ''), values };
  if (name === undefined) return { type, name: null, values };
  throw refused(`a condition’s name belongs to the type header, got ${formatForError(name)} with ${type}`);
}

/** The values that a condition of each type takes, and what a value must be. Networks are parsed. */
const VALUES: Readonly<Record<Exclude<ConditionType, 'ip'>, readonly [(value: string) => boolean, string]>> =
  {
    path: [
      (value) => PATH.test(value),
      'the beginning of a decoded path, from its first slash and without a query',
    ],
    method: [(value) => METHODS.includes(value), `one of ${METHODS.join(', ')}`],
    country: [isCountry, 'a country code of ISO 3166 with two capital letters, such as CH'],
    header: [
      (value) => HEADER_VALUE.test(value),
      'printable ASCII that neither begins nor ends with a space',
    ],
    key: [(value) => value !== '', "a key's name"],
  };

/** @throws Refused when the condition does not take the value */
function checkValue(type: ConditionType, value: string): void {
  const refuse = (right: string) =>
    refused(`a value of a ${type} condition must be ${right}, got ${formatForError(value)}`);
  if (value.length > MAX_VALUE_LENGTH) throw refuse(`at most ${MAX_VALUE_LENGTH} characters long`);
  if (type === 'ip') {
    parseNetwork(value);
    return;
  }
  const [isTaken, right] = VALUES[type];
  if (!isTaken(value)) throw refuse(right);
}

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || code === 'ZZ') return false;
  // Databases use the successor of a withdrawn code such as UK, so a condition with it would never match.
  const [canonical] = Intl.getCanonicalLocales(`und-${code}`);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return canonical === `und-${code}` && names.of(code) !== undefined;
}

function parseHeaderName(given: string): string {
  const name = given.toLowerCase();
  if (!HEADER_NAME.test(name)) {
    throw refused(`a header condition needs the name of a header, got ${formatForError(given)}`);
  }
  return name;
}

/** Returns the window in seconds, from `30s`, `5m`, `second` or `minute`. */
function parseWindow(given: string): number {
  const [, number, unit] = WINDOW.exec(NAMED_WINDOWS.get(given) ?? given) ?? [];
  const seconds = Number(number) * (unit === 'm' ? 60 : 1);
  if (seconds >= 1 && seconds <= MAX_WINDOW_SECONDS) return seconds;
  throw refused(
    `action.window must be seconds or minutes such as 30s or 5m, from 1s to 60m, got ${formatForError(given)}`,
  );
}

function parseChoice<T extends string>(what: string, given: string | undefined, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === given);
  if (found !== undefined) return found;
  throw refused(`${what} must be one of ${allowed.join(', ')}, got ${formatForError(given)}`);
}

function refused(message: string): Refused {
  return new Refused('invalid-value', message);
}
