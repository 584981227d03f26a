import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { compileRules, evaluate, type FirewallRequest } from './evaluate.ts';
import { parseIp } from './ip-address.ts';
import type { RuleAction, RuleCondition, Rule } from './rule.ts';
import * as from from '../../testing/platform/firewall-rules.ts';

describe('evaluate', () => {
  it('agrees with a model that compiles nothing', () => {
    assertProperty(
      fc.property(from.rules, request, (rules, given) => {
        expect(compiled(rules, given)).toEqual(naive(rules, given));
      }),
      { cases: 2_000, seed: SEED },
    );
  });

  it('does not depend on the order of the rules', () => {
    assertProperty(
      fc.property(from.rules, request, (rules, given) => {
        expect(compiled([...rules].reverse(), given)).toEqual(compiled(rules, given));
      }),
      { cases: 300, seed: SEED },
    );
  });

  it('decides by action before specificity, and by specificity before age', () => {
    const loose = rule({ type: 'deny' }, [[PATH]], 1);
    const strict = rule({ type: 'deny' }, [[PATH, KEY]], 2);
    const older = rule({ type: 'deny' }, [[KEY]], 0);
    const bypass = rule({ type: 'bypass' }, [[KEY]], 3);
    expect(compiled([loose, strict, older], GIVEN).decided).toBe(strict.id);
    expect(compiled([loose, older], GIVEN).decided).toBe(older.id);
    expect(compiled([loose, strict, bypass], GIVEN).decided).toBe(bypass.id);
  });

  it('counts a type once, however often a group has it', () => {
    const twice = rule({ type: 'deny' }, [[PATH, PATH]], 2);
    const once = rule({ type: 'deny' }, [[KEY]], 1);
    expect(compiled([twice, once], GIVEN).decided).toBe(once.id);
  });

  it('matches a rule without conditions always, and a disabled rule never', () => {
    const always = rule({ type: 'log' }, [], 1);
    expect(compiled([always], GIVEN)).toEqual({ matched: [always.id], decided: always.id });
    expect(compiled([{ ...always, enabled: false }], GIVEN)).toEqual({ matched: [], decided: null });
  });
});

const SEED = 20_261_121;

interface Given {
  readonly path: string;
  readonly method: string;
  readonly key: string;
  readonly country: string | null;
  readonly ip: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

const request: fc.Arbitrary<Given> = fc.record({
  path: fc.constantFrom(...from.PATHS),
  method: fc.constantFrom(...from.METHODS),
  key: fc.constantFrom(...from.KEYS),
  country: fc.constantFrom(...from.COUNTRIES, null),
  ip: fc.oneof(from.ipv4, from.ipv6),
  headers: fc.dictionary(fc.constantFrom(...from.HEADERS), fc.array(fc.constantFrom(...from.HEADER_VALUES))),
});

function factsOf({ ip, headers, ...rest }: Given): FirewallRequest {
  return { ...rest, ip: parseIp(ip), headers: new Map(Object.entries(headers)) };
}

/** Evaluates a condition as the documentation describes it, without any compilation. */
function naiveCondition({ type, name, values }: RuleCondition, given: Given): boolean {
  if (type === 'path') return values.some((prefix) => given.path.slice(0, prefix.length) === prefix);
  if (type === 'key') return values.includes(given.key);
  if (type === 'method') return values.includes(given.method);
  if (type === 'country') return values.some((country) => country === given.country);
  if (type === 'header') return (given.headers[name ?? ''] ?? []).some((sent) => values.includes(sent));
  return values.some((network) => {
    const [address = '', length] = network.split('/');
    const [bits, own] = [from.bitsOfText(address), from.bitsOfText(given.ip)];
    return (
      bits.length === own.length &&
      own.startsWith(bits.slice(0, length === undefined ? bits.length : Number(length)))
    );
  });
}

const STRENGTH: Readonly<Record<RuleAction['type'], number>> = {
  bypass: 3,
  deny: 2,
  'rate-limit': 1,
  log: 0,
};

function naive(rules: readonly Rule[], given: Given): { matched: string[]; decided: string | null } {
  const matches = rules.flatMap((rule) => {
    const groups = rule.groups.length === 0 ? [[]] : rule.groups;
    const holding = groups.filter((group) => group.every((condition) => naiveCondition(condition, given)));
    if (!rule.enabled || holding.length === 0) return [];
    const types = holding.map((group) => new Set(group.map(({ type }) => type)).size);
    return [{ rule, specificity: Math.max(...types) }];
  });
  const order = [...matches].sort(
    (one, other) =>
      STRENGTH[other.rule.action.type] - STRENGTH[one.rule.action.type] ||
      other.specificity - one.specificity ||
      one.rule.createdAt - other.rule.createdAt,
  );
  const byAge = matches.map(({ rule }) => rule).sort((one, other) => one.createdAt - other.createdAt);
  return { matched: byAge.map(({ id }) => id), decided: order[0]?.rule.id ?? null };
}

function compiled(rules: readonly Rule[], given: Given): { matched: string[]; decided: string | null } {
  const set = compileRules(rules);
  if (set === null) return { matched: [], decided: null };
  const { matched, decided } = evaluate(set, factsOf(given));
  return { matched: matched.map(({ id }) => id), decided: decided?.id ?? null };
}

const rule = (action: RuleAction, groups: Rule['groups'], createdAt: number): Rule => ({
  id: `${action.type} of ${createdAt}`,
  name: `${createdAt}`,
  enabled: true,
  groups,
  action,
  createdAt,
});
const PATH: RuleCondition = { type: 'path', name: null, values: ['/swap'] };
const KEY: RuleCondition = { type: 'key', name: null, values: ['web'] };
const GIVEN: Given = {
  path: '/swap/v2/build',
  method: 'GET',
  key: 'web',
  country: null,
  ip: '10.0.0.1',
  headers: {},
};
