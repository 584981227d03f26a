import { joinWords } from '../../../base/count-words.ts';
import { toShellWord } from '../../../base/shell-word.ts';
import { findCountryName } from './countries.ts';
import {
  type DraftAction,
  type DraftCondition,
  type RuleDraft,
  type RuleTermsJson,
  toRuleTerms,
} from './rule-draft.ts';

const SCOPES: Readonly<Record<string, string>> = {
  ip: 'each address',
  key: 'each key',
  team: 'the team as a whole',
};

/** Describes a rule in a sentence for somebody who has never built one. */
export function describeDraft({ groups, action }: RuleDraft): string {
  const when =
    groups.length === 0
      ? 'Every request'
      : `A request ${groups.map((group) => group.map(describeCondition).join(' and ')).join(', or ')}${groups.length > 1 ? ',' : ''}`;
  return `${when} ${describeAction(action)}`;
}

/** Describes a condition within a sentence about a request: `whose path begins with /swap`. */
export function describeCondition({ kind, name, values }: Omit<DraftCondition, 'id'>): string {
  const any =
    values.length === 0
      ? '…'
      : joinWords(
          values.map((value) => formatValue(kind, value)),
          'or',
        );
  switch (kind) {
    case 'path':
      return `whose path begins with ${any}`;
    case 'method':
      return `whose method is ${any}`;
    case 'key':
      return `that comes with the key ${any}`;
    case 'ip':
      return `from ${any}`;
    case 'country':
      return `from the country ${any}`;
    case 'header':
      return `whose header ${name.trim() || '…'} is exactly ${any}`;
  }
}

/** Says what an action does with a request. */
export function describeAction({ kind, limit, window, unit, per }: DraftAction): string {
  switch (kind) {
    case 'bypass':
      return 'skips the rest of the firewall.';
    case 'deny':
      return 'is answered with 403.';
    case 'log':
      return 'passes, and the request log shows that the rule matched.';
    case 'rate-limit': {
      const name = unit === 'm' ? 'minute' : 'second';
      const time = window === '1' ? name : `${window || '…'} ${name}s`;
      return `is counted: beyond ${limit || '…'} in any ${time} of ${SCOPES[per] ?? per}, it is answered with 429.`;
    }
  }
}

/** Returns a value as a reader knows it: a country by its name. */
export function formatValue(kind: DraftCondition['kind'], value: string): string {
  const country = kind === 'country' ? findCountryName(value) : null;
  return country === null ? value : `${country} (${value})`;
}

/** Returns the body of the request that saves a rule. */
export function formatRuleJson(name: string, terms: RuleTermsJson): string {
  return JSON.stringify({ name, enabled: false, ...terms }, null, 2);
}

/** A value that the command would read as the end of itself. */
const AMBIGUOUS = /,|^\s|\s$|\s(?:and|or)(?:\s|$)/i;

/**
 * Returns the command that adds a rule switched off; null while the rule is not complete, and for a value with a comma or a
 * word that joins conditions, which only the admin interface takes.
 */
export function formatRuleCommand(team: string, draft: RuleDraft): string | null {
  const terms = toRuleTerms(draft);
  if (
    terms === null ||
    draft.groups.flat().some(({ values }) => values.some((value) => AMBIGUOUS.test(value)))
  )
    return null;
  const when = terms.groups
    .map((group) =>
      group
        .map(({ type, name, values }) => `${type}${name === undefined ? '' : `.${name}`}=${values.join(',')}`)
        .join(' and '),
    )
    .join(' or ');
  const { type, limit, window, per } = terms.action;
  const then = type === 'rate-limit' ? `${limit} per ${window} per ${per}` : type;
  const flags = [
    ...(when === '' ? [] : [`--when ${toShellWord(when)}`]),
    `--then ${toShellWord(then)}`,
    '--enabled false',
  ];
  return `sluice rule add ${toShellWord(team)} ${toShellWord(draft.name || 'new rule')} ${flags.join(' ')}`;
}
