import { describe, expect, it } from 'vitest';
import {
  createCondition,
  createDraft,
  findDraftProblem,
  type RuleDraft,
  toDraft,
  toRuleTerms,
} from './rule-draft.ts';
import { sortByPrecedence } from './rule-order.ts';
import { PRESETS } from './presets.ts';
import { describeDraft, formatRuleCommand } from './rule-text.ts';

describe('describeDraft', () => {
  it('says what a rule does in a sentence', () => {
    expect(describeDraft(RULE)).toBe(
      'A request whose path begins with /swap and from the country Switzerland (CH) or Germany (DE), or that comes with the key ci, is answered with 403.',
    );
    expect(describeDraft({ ...RULE, groups: RULE.groups.slice(1) })).toBe(
      'A request that comes with the key ci is answered with 403.',
    );
    expect(describeDraft({ ...RULE, groups: [] })).toBe('Every request is answered with 403.');
    expect(describeDraft({ ...RULE, groups: [], action: LIMIT })).toBe(
      'Every request is counted: beyond 5 in any 10 seconds of each key, it is answered with 429.',
    );
  });
});

describe('formatRuleCommand', () => {
  it('writes the command that adds the rule', () => {
    expect(formatRuleCommand('acme/web', { ...RULE, action: LIMIT })).toBe(
      "sluice rule add acme/web 'it'\\''s' --when 'path=/swap and country=CH,DE or key=ci' --then '5 per 10s per key' --enabled false",
    );
  });

  it.each(['a,b', 'one and two', 'or', ' x'])(
    'leaves %j to the admin interface, unless it is one word',
    (value) => {
      const command = formatRuleCommand('a/b', { ...RULE, groups: [[createCondition('key', [value])]] });
      expect(command === null).toBe(value !== 'or');
    },
  );
});

describe('toRuleTerms', () => {
  it('is null until every condition has a value', () => {
    expect(findDraftProblem(createDraft())).toBe('Give the path condition a value.');
    expect(toRuleTerms(createDraft())).toBeNull();
    for (const { create } of PRESETS) expect(toRuleTerms(create())).not.toBeNull();
  });

  it('gives back a rule that was read for editing', () => {
    const terms = toRuleTerms({ ...RULE, action: LIMIT });
    const read = toDraft({
      name: RULE.name,
      enabled: true,
      expression: '',
      createdAt: 0,
      groups: terms?.groups.map((group) => group.map((one) => ({ name: '', ...one }))) ?? [],
      action: { limit: 0, window: '', per: '', ...terms?.action, type: 'rate-limit' },
    });
    expect(read && toRuleTerms(read)).toEqual(terms);
  });
});

describe('sortByPrecedence', () => {
  it('puts the strongest action first, then the most specific rule, then the oldest', () => {
    const path = { type: 'path', name: '', values: [] };
    const key = { ...path, type: 'key' };
    const rules = [
      { id: 5, action: { type: 'log' }, groups: [], createdAt: 1 },
      { id: 3, action: { type: 'deny' }, groups: [[path]], createdAt: 2 },
      { id: 4, action: { type: 'deny' }, groups: [[path, path]], createdAt: 3 },
      { id: 2, action: { type: 'deny' }, groups: [[path], [path, key]], createdAt: 4 },
      { id: 1, action: { type: 'bypass' }, groups: [[path]], createdAt: 5 },
    ].map((rule) => ({ ...rule, action: { ...rule.action, limit: 0, window: '', per: '' } }));
    expect(sortByPrecedence(rules).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });
});

const LIMIT = { kind: 'rate-limit', limit: '5', window: '10', unit: 's', per: 'key' } as const;
const RULE: RuleDraft = {
  name: "it's",
  groups: [
    [createCondition('path', ['/swap']), createCondition('country', ['CH', 'DE'])],
    [createCondition('key', ['ci'])],
  ],
  action: createDraft().action,
};
