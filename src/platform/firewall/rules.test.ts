import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STORES } from '../../store/store-for-tests.ts';
import { listAudit } from '../audit/audit-log.ts';
import { createKey } from '../accounts/keys.ts';
import type { PlatformDependencies } from '../dependencies.ts';
import { openTestPlatform } from '../platform-for-tests.ts';
import { createTeam, deleteTeam } from '../accounts/teams.ts';
import { evaluate, type FirewallRequest } from './evaluate.ts';
import type { GivenAction, GivenCondition } from './parse-rule.ts';
import { describeRule } from './rule.ts';
import { changeRule, createRule, deleteRule, listRules, type RuleTerms } from './rules.ts';
import { granted } from '../granted-for-tests.ts';
import { refusedAs } from '../refused-for-tests.ts';

const NOW = 1_790_000_000_000;
const ACTOR = { who: 'admin', from: '127.0.0.1' };
const TEAM = { organisation: 'demo', team: 'demo' };
const DENY = { type: 'deny' };
const SWAPS: GivenCondition = { type: 'path', values: ['/swap'] };
const path = (rule: string) => ({ ...TEAM, rule });

describe.each(STORES)('firewall rules on %s', (kind) => {
  let parts: PlatformDependencies;
  let cleanUp: () => Promise<void>;
  beforeEach(async () => {
    ({ parts, cleanUp } = await openTestPlatform(NOW, kind));
  });
  afterEach(() => cleanUp());

  const create = (name: string, terms: Partial<RuleTerms> = {}) =>
    createRule(parts, ACTOR, path(name), { groups: [[SWAPS]], action: DENY, ...terms });
  const names = async () => granted(await listRules(parts, TEAM)).map(({ name }) => name);

  /** What the demo key's firewall does with a swap. */
  function decided(): string | null {
    const rules = parts.keys.find('jup_of_the_data_folder', NOW)?.rules ?? null;
    const request: FirewallRequest = {
      path: '/swap/v2/build',
      method: 'GET',
      key: 'demo',
      country: null,
      ip: null,
      headers: new Map(),
    };
    return rules === null ? null : (evaluate(rules, request).decided?.name ?? null);
  }

  it('are in force when they are made, changed, switched and deleted, and written down each time', async () => {
    granted(await create('no swaps'));
    expect(decided()).toBe('no swaps');
    granted(await changeRule(parts, ACTOR, path('no swaps'), { enabled: false }));
    expect(decided()).toBeNull();
    granted(await changeRule(parts, ACTOR, path('no swaps'), { enabled: true }));
    expect(decided()).toBe('no swaps');
    granted(
      await changeRule(parts, ACTOR, path('no swaps'), { groups: [[{ type: 'path', values: ['/price'] }]] }),
    );
    expect(decided()).toBeNull();
    granted(await deleteRule(parts, ACTOR, path('no swaps')));
    expect(await names()).toEqual([]);
    const entries = granted(await listAudit(parts)).items.filter(({ action }) => action.startsWith('rule.'));
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'rule.change',
      'rule.create',
      'rule.delete',
      'rule.disable',
      'rule.enable',
    ]);
    expect(entries).toContainEqual(
      expect.objectContaining({
        subject: 'demo/demo/no swaps',
        action: 'rule.change',
        before: { rule: 'IF (path starts with /swap) THEN deny', enabled: true },
        after: { rule: 'IF (path starts with /price) THEN deny', enabled: true },
      }),
    );
  });

  it('come back as they were sent, with an age of their own', async () => {
    granted(await createKey(parts, ACTOR, { ...TEAM, key: 'ci' }, {}));
    const groups: GivenCondition[][] = [
      [SWAPS, { type: 'key', values: ['ci', 'demo'] }, { type: 'method', values: ['POST'] }],
      [
        { type: 'header', name: 'X-App', values: ['iOS'] },
        { type: 'country', values: ['CH', 'XK'] },
      ],
      [{ type: 'ip', values: ['203.0.113.0/24', '2001:db8::/32'] }],
    ];
    await create('first', { groups });
    await create('second', {
      groups: [],
      action: { type: 'rate-limit', limit: 30, window: 'minute', per: 'ip' },
    });
    const [first, second] = granted(await listRules(parts, TEAM));
    expect(first?.groups.flat().map(({ values }) => values)).toEqual(
      groups.flat().map(({ values }) => values),
    );
    expect(first && describeRule(first)).toBe(
      'IF (path starts with /swap AND key is ci or demo AND method is POST) OR (header x-app is iOS AND country is CH or XK) OR (IP is in 203.0.113.0/24 or 2001:db8::/32) THEN deny',
    );
    expect(second && describeRule(second)).toBe('ALWAYS 30 per minute per ip');
    expect([first?.createdAt, second?.createdAt]).toEqual([NOW, NOW + 1]);
  });

  it('are the team’s own, and go with it', async () => {
    granted(await createTeam(parts, ACTOR, { organisation: 'demo', team: 'other' }));
    granted(
      await createRule(parts, ACTOR, { organisation: 'demo', team: 'other', rule: 'r' }, { action: DENY }),
    );
    expect(decided()).toBeNull();
    granted(await deleteTeam(parts, ACTOR, { organisation: 'demo', team: 'other' }));
    granted(await createTeam(parts, ACTOR, { organisation: 'demo', team: 'other' }));
    expect(granted(await listRules(parts, { organisation: 'demo', team: 'other' }))).toEqual([]);
  });

  it('are at most 50, those that are switched off included', async () => {
    for (let index = 0; index < 50; index++)
      granted(await create(`rule ${index}`, { enabled: index % 2 === 0 }));
    expect(await create('one more')).toEqual(refusedAs('limit-reached', 'demo/demo has 50 rules'));
    for (const gone of ['rule 1', 'rule 2']) granted(await deleteRule(parts, ACTOR, path(gone)));
    const ends = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => create(name)));
    expect(ends.filter(({ ok }) => ok)).toHaveLength(2);
    expect(await names()).toHaveLength(50);
  });

  it('refuse what is not there, what is there already, and a bypass that loses its last condition', async () => {
    granted(await create('one'));
    expect(await create('one')).toEqual(refusedAs('already-exists', 'demo/demo has a rule "one" already'));
    expect(await changeRule(parts, ACTOR, path('two'), {})).toEqual(
      refusedAs('not-found', 'demo/demo has no rule "two"'),
    );
    expect(await deleteRule(parts, ACTOR, path('two'))).toEqual(
      refusedAs('not-found', 'demo/demo has no rule "two"'),
    );
    granted(await changeRule(parts, ACTOR, path('one'), { action: { type: 'bypass' } }));
    expect(await changeRule(parts, ACTOR, path('one'), { groups: [] })).toEqual(
      refusedAs('invalid-value', 'at least one condition'),
    );
    expect(await listRules(parts, { organisation: 'demo', team: 'none' })).toEqual(
      refusedAs('not-found', 'no team "none"'),
    );
  });
});

describe('a firewall rule is refused that is', () => {
  let parts: PlatformDependencies;
  let cleanUp: () => Promise<void>;
  beforeAll(async () => {
    ({ parts, cleanUp } = await openTestPlatform(NOW));
  });
  afterAll(() => cleanUp());

  const one = (condition: GivenCondition) => ({ groups: [[condition]] });
  const limit = (action: Partial<GivenAction>) => ({
    action: { type: 'rate-limit', limit: 1, window: 'second', per: 'key', ...action },
  });
  it.each<[string, Partial<RuleTerms>, string]>([
    ['/', {}, "the rule's name must be"],
    ['x', { groups: [[]] }, 'a group without conditions would match always'],
    ['x', { groups: [], action: { type: 'bypass' } }, 'a bypass needs at least one condition'],
    ['x', { groups: Array(11).fill([SWAPS]) }, '10 groups of conditions at most, got 11'],
    ['x', { groups: [Array(21).fill(SWAPS)] }, '20 conditions at most, got 21'],
    [
      'x',
      one({ type: 'asn', values: ['1'] }),
      'type must be one of path, key, method, country, header, ip, got "asn"',
    ],
    ['x', one({ type: 'path', values: [] }), 'a path condition must have 1 to 50 values, got 0'],
    ['x', one({ type: 'path', values: ['swap'] }), 'must be the beginning of a decoded path'],
    ['x', one({ type: 'path', values: ['/%73wap'] }), 'must be the beginning of a decoded path'],
    ['x', one({ type: 'path', values: [`/${'x'.repeat(200)}`] }), 'must be at most 200 characters long'],
    ['x', one({ type: 'method', values: ['get'] }), 'must be one of GET, HEAD'],
    ['x', one({ type: 'country', values: ['ch'] }), 'must be a country code of ISO 3166'],
    ['x', one({ type: 'country', values: ['UK'] }), 'must be a country code of ISO 3166'],
    ['x', one({ type: 'country', values: ['QX'] }), 'must be a country code of ISO 3166'],
    ['x', one({ type: 'ip', values: ['10.0.0.5/8'] }), "the network's first address: 10.0.0.0/8"],
    ['x', one({ type: 'key', values: ['none'] }), 'demo/demo has no key "none"'],
    ['x', one({ type: 'header', values: ['a'] }), 'needs the name of a header'],
    ['x', one({ type: 'header', name: 'X-Api-Key', values: ['a'] }), 'x-api-key is reserved'],
    ['x', one({ type: 'header', name: 'x-forwarded-for', values: ['a'] }), 'x-forwarded-for is reserved'],
    [
      'x',
      one({ type: 'header', name: 'x-app', values: ['a', 'b', 'c', 'd', 'e', 'f'] }),
      '1 to 5 values, got 6',
    ],
    ['x', one({ type: 'header', name: 'x-app', values: ['a\r\nb'] }), 'must be printable ASCII'],
    ['x', one({ type: 'path', name: 'x-app', values: ['/'] }), 'name belongs to the type header'],
    ['x', { action: { type: 'drop' } }, 'action.type must be one of bypass, deny, rate-limit, log'],
    ['x', { action: { type: 'deny', limit: 1 } }, 'action.limit belongs to rate-limit'],
    ['x', { action: { type: 'rate-limit', limit: 1, window: 'second' } }, 'action.per is missing'],
    ['x', limit({ limit: 0 }), 'action.limit must be a whole number from 1 to 20000, got 0'],
    ['x', limit({ limit: 1.5 }), 'action.limit must be a whole number'],
    ['x', limit({ window: 'hour' }), 'action.window must be one of second, minute'],
    ['x', limit({ per: 'wallet' }), 'action.per must be one of ip, key, team'],
  ])('%j with %j', async (name, terms, message) => {
    const create = async () =>
      createRule(parts, ACTOR, path(name), { groups: [[SWAPS]], action: DENY, ...terms });
    expect(await create()).toEqual(refusedAs('invalid-value', message));
    expect(granted(await listRules(parts, TEAM))).toEqual([]);
  });
});
