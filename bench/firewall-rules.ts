import type { RuleAction, RuleCondition, ConditionGroup, Rule } from '../src/platform/firewall/rule.ts';

const PATHS = ['/swap', '/price/v3', '/tokens/v2', '/portfolio/v1', '/lend'];
const COUNTRIES = ['CH', 'DE', 'FR', 'GB', 'JP', 'US', 'BR', 'IN', 'SG', 'AU'];
const ACTIONS: readonly RuleAction[] = [
  { type: 'log' },
  { type: 'rate-limit', limit: 100, windowSeconds: 1, per: 'ip' },
  { type: 'deny' },
  { type: 'bypass' },
];

/** The most rules that a team may have, with every kind of condition and action, alone and combined. */
export function fiftyRules(): readonly Rule[] {
  return Array.from({ length: 50 }, (_, index) => ({
    id: `rule-${index}`,
    name: `rule ${index}`,
    enabled: true,
    groups: groupsOf(index),
    action: ACTIONS[index % ACTIONS.length] ?? { type: 'log' },
    createdAt: index,
  }));
}

/**
 * Typical rules of a team whose key is used in a browser. The third rule matches a swap from this machine and lets it
 * pass.
 */
export function usualRules(): readonly Rule[] {
  const condition = (type: RuleCondition['type'], values: readonly string[]): RuleCondition => ({
    type,
    name: null,
    values,
  });
  const rules: readonly (readonly [RuleAction, readonly ConditionGroup[]])[] = [
    [{ type: 'bypass' }, [[condition('ip', ['203.0.113.0/24', '2001:db8::/32'])]]],
    [{ type: 'deny' }, [[condition('country', COUNTRIES.slice(4)), condition('path', ['/swap'])]]],
    [
      { type: 'rate-limit', limit: 1_000_000, windowSeconds: 1, per: 'ip' },
      [[condition('path', ['/swap']), condition('method', ['GET'])]],
    ],
    [{ type: 'deny' }, [[{ type: 'header', name: 'user-agent', values: ['bot', 'curl'] }]]],
    [{ type: 'log' }, [[condition('key', ['web']), condition('path', ['/price', '/tokens'])]]],
  ];
  return rules.map(([action, groups], index) => ({
    id: `rule-${index}`,
    name: `rule ${index}`,
    enabled: true,
    groups,
    action,
    createdAt: index,
  }));
}

/** Three groups of one to three conditions. The types alternate from rule to rule. */
function groupsOf(index: number): readonly ConditionGroup[] {
  return [0, 1, 2].map((group) =>
    Array.from({ length: 1 + ((index + group) % 3) }, (_, place) => conditionOf(index + group * 2 + place)),
  );
}

function conditionOf(index: number): RuleCondition {
  const unnamed = { name: null };
  switch (index % 6) {
    case 0:
      return { type: 'path', ...unnamed, values: PATHS.slice(index % 4) };
    case 1:
      return { type: 'key', ...unnamed, values: [`key ${index}`, 'web', 'ci'] };
    case 2:
      return { type: 'method', ...unnamed, values: index % 4 === 0 ? ['POST', 'PUT'] : ['GET'] };
    case 3:
      return { type: 'country', ...unnamed, values: COUNTRIES.slice(index % 7) };
    case 4:
      return { type: 'header', name: `x-app-${index % 3}`, values: ['ios', 'android', `build ${index}`] };
    default:
      return { type: 'ip', ...unnamed, values: networksOf(index) };
  }
}

/** Fifty, of both kinds and of different lengths. */
function networksOf(index: number): readonly string[] {
  return Array.from({ length: 25 }, (_, place) => place + index).flatMap((part) => [
    `${10 + (part % 200)}.${part}.0.0/16`,
    `2001:db8:${part.toString(16)}::/48`,
  ]);
}
