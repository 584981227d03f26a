import { compileNetworks, parseNetwork } from './networks.ts';
import type { IpAddress } from './ip-address.ts';
import {
  type RuleAction,
  ACTION_TYPES,
  type RuleCondition,
  type ConditionType,
  type ConditionGroup,
  type Rule,
} from './rule.ts';

/** What the conditions of rules are evaluated against. */
export interface FirewallRequest {
  /** The decoded path, without the query. */
  readonly path: string;
  readonly method: string;
  /** The key's name in its team. */
  readonly key: string;
  /** ISO 3166, two capital letters. Null when the country is unknown; then no country condition holds. */
  readonly country: string | null;
  readonly ip: IpAddress | null;
  /** All values of each header, by the header's name in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

/** Whether a condition holds for a request. */
export type ConditionTest = (request: FirewallRequest) => boolean;

interface CompiledGroup {
  /** How many distinct types of conditions the group has. */
  readonly specificity: number;
  readonly tests: readonly ConditionTest[];
}

export interface CompiledRule extends Pick<Rule, 'id' | 'name' | 'action' | 'createdAt'> {
  readonly groups: readonly CompiledGroup[];
  readonly types: readonly ConditionType[];
  readonly headerNames: readonly string[];
  /** The prefixes of all conditions on paths. */
  readonly paths: readonly string[];
}

/** The enabled rules of one team, ready to be evaluated. */
export interface RuleSet {
  /** The oldest rule first. */
  readonly rules: readonly CompiledRule[];
  /** What the rules' conditions look at, so that nothing else is looked up for a request. */
  readonly needs: ReadonlySet<ConditionType>;
  readonly headerNames: ReadonlySet<string>;
}

export interface FirewallDecision {
  /** Every rule that matches, the oldest first. */
  readonly matched: readonly CompiledRule[];
  /** The rule whose action is taken; null when no rule matches. */
  readonly decided: CompiledRule | null;
}

/** Conditions are tested in this order, the cheapest first, because the first one that fails decides the group. */
const CHEAPEST_FIRST: readonly ConditionType[] = ['method', 'key', 'country', 'path', 'header', 'ip'];
const ALWAYS: CompiledGroup = { specificity: 0, tests: [] };

/**
 * @param rules - The rules of one team, in any order.
 * @returns null when no rule is enabled
 */
export function compileRules(rules: readonly Rule[]): RuleSet | null {
  return createRuleSet(rules.filter(({ enabled }) => enabled).map((rule) => compileRule(rule)));
}

/** @param compile - Makes the test of a condition. Default: `compileCondition`. */
export function compileRule(
  { id, name, action, createdAt, groups }: Rule,
  compile: (condition: RuleCondition) => ConditionTest = compileCondition,
): CompiledRule {
  const conditions = groups.flat();
  return {
    id,
    name,
    action,
    createdAt,
    groups: groups.length === 0 ? [ALWAYS] : groups.map((group) => compileGroup(group, compile)),
    types: conditions.map(({ type }) => type),
    headerNames: conditions.flatMap((condition) => condition.name ?? []),
    paths: conditions.flatMap(({ type, values }) => (type === 'path' ? values : [])),
  };
}

/**
 * @param rules - The rules of one team, enabled, in any order.
 * @returns null when there are none
 */
export function createRuleSet(rules: readonly CompiledRule[]): RuleSet | null {
  if (rules.length === 0) return null;
  return {
    rules: [...rules].sort((one, other) => one.createdAt - other.createdAt),
    needs: new Set(rules.flatMap(({ types }) => types)),
    headerNames: new Set(rules.flatMap(({ headerNames }) => headerNames)),
  };
}

/**
 * Selects the rules that name a path or one below it. A rule about all paths, or about a prefix such as `/`, names none.
 * Returns null if there are none.
 */
export function selectRulesNaming({ rules }: Pick<RuleSet, 'rules'>, path: string): RuleSet | null {
  return createRuleSet(
    rules.filter(({ paths }) => paths.some((one) => one === path || one.startsWith(`${path}/`))),
  );
}

/**
 * Finds all rules that match, and the one that decides: the rule with the strongest action, then the one whose
 * matching group has the most types of conditions, then the oldest.
 * Returns all matching rules, and the deciding one; null if none matches.
 *
 * @example
 * ```ts
 * import { evaluate, type FirewallRequest, type RuleSet } from './evaluate.ts';
 *
 * function isDenied(rules: RuleSet, request: FirewallRequest): boolean {
 *   return evaluate(rules, request).decided?.action.type === 'deny';
 * }
 * ```
 */
export function evaluate({ rules }: Pick<RuleSet, 'rules'>, request: FirewallRequest): FirewallDecision {
  const matched: CompiledRule[] = [];
  let decided: CompiledRule | null = null;
  let decidedBy = -1;
  for (const rule of rules) {
    const specificity = computeSpecificity(rule, request);
    if (specificity < 0) continue;
    matched.push(rule);
    const stronger = decided === null ? -1 : getActionRank(rule.action) - getActionRank(decided.action);
    if (stronger > 0 || (stronger === 0 && specificity <= decidedBy)) continue;
    decided = rule;
    decidedBy = specificity;
  }
  return { matched, decided };
}

/** Returns the specificity of the most specific group that holds; -1 when no group holds. */
function computeSpecificity({ groups }: CompiledRule, request: FirewallRequest): number {
  let most = -1;
  for (const { specificity, tests } of groups) {
    if (specificity > most && holds(tests, request)) most = specificity;
  }
  return most;
}

function holds(tests: readonly ConditionTest[], request: FirewallRequest): boolean {
  for (const test of tests) if (!test(request)) return false;
  return true;
}

function getActionRank({ type }: RuleAction): number {
  return ACTION_TYPES.indexOf(type);
}

function compileGroup(
  group: ConditionGroup,
  compile: (condition: RuleCondition) => ConditionTest,
): CompiledGroup {
  const order = ({ type }: RuleCondition) => CHEAPEST_FIRST.indexOf(type);
  return {
    specificity: new Set(group.map(({ type }) => type)).size,
    tests: [...group].sort((one, other) => order(one) - order(other)).map(compile),
  };
}

/** Makes the test by which the gateway judges a condition. */
export function compileCondition({ type, name, values }: RuleCondition): ConditionTest {
  const set = new Set(values);
  switch (type) {
    case 'path':
      return ({ path }) => values.some((prefix) => path.startsWith(prefix));
    case 'key':
      return ({ key }) => set.has(key);
    case 'method':
      return ({ method }) => set.has(method);
    case 'country':
      return ({ country }) => country !== null && set.has(country);
    case 'header':
      return ({ headers }) => headers.get(name ?? '')?.some((sent) => set.has(sent)) ?? false;
    case 'ip': {
      const contains = compileNetworks(values.map(parseNetwork));
      return ({ ip }) => ip !== null && contains(ip);
    }
  }
}
