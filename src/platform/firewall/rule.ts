/** What a condition looks at. The more of these types a group has, the more specific it is. */
export const CONDITION_TYPES = ['path', 'key', 'method', 'country', 'header', 'ip'] as const;
export type ConditionType = (typeof CONDITION_TYPES)[number];

/** A condition holds when one of `values` matches. */
export interface RuleCondition {
  readonly type: ConditionType;
  /** The header's name in lower case; null for all other types. */
  readonly name: string | null;
  /** Path prefixes, names of keys, methods, ISO 3166 country codes, header values, or IP addresses and networks. */
  readonly values: readonly string[];
}

/** A group holds when all of its conditions hold. */
export type ConditionGroup = readonly RuleCondition[];

export const SCOPES = ['ip', 'key', 'team'] as const;

export type RuleAction =
  | { readonly type: 'log' | 'deny' | 'bypass' }
  | {
      readonly type: 'rate-limit';
      /** How many requests each counted caller may send within any window of this length. */
      readonly limit: number;
      /** Length of the sliding window in seconds. */
      readonly windowSeconds: number;
      readonly per: (typeof SCOPES)[number];
    };
export type ActionType = RuleAction['type'];

/** The strongest action first: when several rules match, the one with the strongest action decides. */
export const ACTION_TYPES = ['bypass', 'deny', 'rate-limit', 'log'] as const satisfies readonly ActionType[];

export interface Rule {
  readonly id: string;
  /** Unique in the team and never changed, because the request log identifies rules by their names. */
  readonly name: string;
  readonly enabled: boolean;
  /** The rule matches when one of its groups holds. A rule without groups always matches. */
  readonly groups: readonly ConditionGroup[];
  readonly action: RuleAction;
  /** Unix milliseconds. No two rules of a team have the same value. */
  readonly createdAt: number;
}

/** The words that introduce the value of a condition: for one value, and for several. */
const PHRASES: Readonly<Record<ConditionType, readonly [one: string, several: string]>> = {
  path: ['path starts with', 'path starts with any of'],
  key: ['API key is', 'API key is any of'],
  method: ['method is', 'method is any of'],
  country: ['country is', 'country is any of'],
  header: ['equals', 'equals any of'],
  ip: ['IP is', 'IP is any of'],
};
const ACTION_PHRASES = { log: 'Log', deny: 'Deny', bypass: 'Bypass' } as const;
const SCOPE_PHRASES = { ip: 'per ip', key: 'per api key', team: 'per team' } as const;

/**
 * Describes a rule in a sentence such as `IF (path starts with /swap AND method is POST) THEN Deny`, or `ALWAYS Deny`
 * without conditions.
 */
export function describeRule({ groups, action }: Pick<Rule, 'groups' | 'action'>): string {
  const when =
    groups.length === 0
      ? 'ALWAYS'
      : `IF ${groups.map((group) => `(${group.map(describeCondition).join(' AND ')})`).join(' OR ')} THEN`;
  return `${when} ${describeAction(action)}`;
}

function describeCondition({ type, name, values }: RuleCondition): string {
  const phrase = PHRASES[type][values.length === 1 ? 0 : 1];
  return `${name === null ? '' : `header ${name} `}${phrase} ${values.join(', ')}`;
}

/** Describes an action, such as `Deny` or `Rate limit to 30 requests per 60s (per ip)`. */
export function describeAction(action: RuleAction): string {
  if (action.type !== 'rate-limit') return ACTION_PHRASES[action.type];
  const { limit, windowSeconds, per } = action;
  return `Rate limit to ${limit} requests per ${windowSeconds}s (${SCOPE_PHRASES[per]})`;
}
