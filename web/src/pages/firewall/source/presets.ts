import { createCondition, createDraft, type RuleDraft } from './rule-draft.ts';

/** A rule to begin with. */
export interface RulePreset {
  readonly title: string;
  readonly create: () => RuleDraft;
}

const limit = (requests: string, window: string, unit: 's' | 'm', per: string) =>
  ({ kind: 'rate-limit', limit: requests, window, unit, per }) as const;
const deny = createDraft().action;

/** Rules that many teams want, as docs/firewall.md has them. */
export const PRESETS: readonly RulePreset[] = [
  {
    title: 'Limit searches of each address',
    create: () => ({
      name: 'searches',
      groups: [[createCondition('path', ['/tokens/v2/search'])]],
      action: limit('30', '1', 'm', 'ip'),
    }),
  },
  {
    title: 'Limit bursts of each key',
    create: () => ({
      name: 'bursts',
      groups: [[createCondition('path', ['/swap'])]],
      action: limit('5', '10', 's', 'key'),
    }),
  },
  {
    title: 'Deny a path, with its older names',
    create: () => ({
      name: 'no orders',
      groups: [[createCondition('path', ['/swap/v2/order', '/ultra/v1/order'])]],
      action: deny,
    }),
  },
  {
    title: 'Deny a path in some countries',
    create: () => ({
      name: 'no swaps from there',
      groups: [[createCondition('path', ['/swap']), createCondition('country', ['US', 'GB'])]],
      action: deny,
    }),
  },
  {
    title: 'Deny a bot by its user agent',
    create: () => ({
      name: 'no bots',
      groups: [[createCondition('header', ['bot'], 'user-agent')]],
      action: deny,
    }),
  },
  {
    title: 'Let our own servers through',
    create: () => ({
      name: 'ours',
      groups: [[createCondition('ip', ['203.0.113.0/24'])], [createCondition('header', ['ours'], 'x-app')]],
      action: { ...deny, kind: 'bypass' },
    }),
  },
  {
    title: 'Only record what matches',
    create: () => ({
      name: 'watch',
      groups: [[createCondition('path', ['/swap'])]],
      action: { ...deny, kind: 'log' },
    }),
  },
];
