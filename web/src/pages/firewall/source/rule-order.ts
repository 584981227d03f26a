import type { FirewallRule } from './firewall-shapes.ts';
import { ACTIONS, type ActionKind } from './rule-draft.ts';

/**
 * Sorts rules in the order in which they decide: by action, then by how many kinds of conditions their most specific group has,
 * then by age. Between two rules whose groups differ in that, the group that matches a request counts.
 */
export function sortByPrecedence<Rule extends Pick<FirewallRule, 'action' | 'groups' | 'createdAt'>>(
  rules: readonly Rule[],
): readonly Rule[] {
  return [...rules].sort(
    (one, other) =>
      getRank(one) - getRank(other) || countKinds(other) - countKinds(one) || one.createdAt - other.createdAt,
  );
}

/** Returns how many kinds of conditions the most specific group of a rule has. */
export function countKinds({ groups }: Pick<FirewallRule, 'groups'>): number {
  return Math.max(0, ...groups.map((group) => new Set(group.map(({ type }) => type)).size));
}

/** An action that this page does not know comes last. */
function getRank({ action }: Pick<FirewallRule, 'action'>): number {
  const rank = ACTIONS.indexOf(action.type as ActionKind);
  return rank === -1 ? ACTIONS.length : rank;
}
