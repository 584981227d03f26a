/** What a condition looks at. A group is the more specific the more of these it has. */
export const CONDITION_TYPES = ['path', 'key', 'method', 'country', 'header', 'ip'] as const;
export type ConditionType = (typeof CONDITION_TYPES)[number];

/** It holds when one of `values` does. */
export interface Condition {
  readonly type: ConditionType;
  /** The header's name in lower case; null for every other type. */
  readonly name: string | null;
  /** Path prefixes, key names, methods, ISO 3166 country codes, header values, or IP addresses and networks. */
  readonly values: readonly string[];
}

/** All of its conditions must hold. */
export type Group = readonly Condition[];

export const WINDOWS = ['second', 'minute'] as const;
export const SCOPES = ['ip', 'key', 'team'] as const;

export type Action =
  | { readonly type: 'log' | 'deny' | 'bypass' }
  | {
      readonly type: 'rate-limit';
      /** Requests that each of those who are counted may send within any window. */
      readonly limit: number;
      readonly window: (typeof WINDOWS)[number];
      readonly per: (typeof SCOPES)[number];
    };
export type ActionType = Action['type'];

/** The strongest first: of several rules that match, the one with the strongest action decides. */
export const ACTION_TYPES = ['bypass', 'deny', 'rate-limit', 'log'] as const satisfies readonly ActionType[];

export interface Rule {
  readonly id: string;
  /** Once in a team, and never changed: the request log names rules by it. */
  readonly name: string;
  readonly enabled: boolean;
  /** It matches when one of them holds. None: it matches always. */
  readonly groups: readonly Group[];
  readonly action: Action;
  /** Unix milliseconds; no two rules of a team have the same. */
  readonly createdAt: number;
}

const PHRASES: Readonly<Record<ConditionType, string>> = {
  path: 'path starts with',
  key: 'key is',
  method: 'method is',
  country: 'country is',
  header: 'header',
  ip: 'IP is in',
};

/** `IF (path starts with /swap AND method is POST) THEN deny`. */
export function describeRule({ groups, action }: Pick<Rule, 'groups' | 'action'>): string {
  const when =
    groups.length === 0
      ? 'ALWAYS'
      : `IF ${groups.map((group) => `(${group.map(describeCondition).join(' AND ')})`).join(' OR ')} THEN`;
  return `${when} ${describeAction(action)}`;
}

function describeCondition({ type, name, values }: Condition): string {
  const subject = name === null ? PHRASES[type] : `${PHRASES[type]} ${name} is`;
  return `${subject} ${values.join(' or ')}`;
}

export function describeAction(action: Action): string {
  if (action.type !== 'rate-limit') return action.type;
  return `${action.limit} per ${action.window} per ${action.per}`;
}
