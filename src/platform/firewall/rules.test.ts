import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STORES } from '../../testing/store/test-store.ts';
import { listAudit } from '../audit/audit-log.ts';
import { createKey } from '../accounts/keys.ts';
import { openTestPlatform, type TestPlatform } from '../../testing/platform/test-platform.ts';
import { firewallRules } from '../tables/account-tables.ts';
import { createTeam, deleteTeam, getTeam } from '../accounts/teams.ts';
import { evaluate, type FirewallRequest } from './evaluate.ts';
import { type GivenAction, type GivenCondition, toGivenAction, parseAction } from './parse-rule.ts';
import { describeRule } from './rule.ts';
import { tryRules } from './try-rules.ts';
import { changeRule, createRule, deleteRule, listRules, type RuleTerms } from './rules.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { refusedAs } from '../../testing/platform/refused.ts';

describe.each(STORES)('firewall rules on %s', (kind) => {
  let platform: TestPlatform;
  beforeEach(setUp);
  afterEach(() => platform.cleanUp());

  it.each([
    ['/swap/v2/build', 'denied'],
    ['/swap/v2/build?mint=x', 'denied'],
    ['/%73wap/v2/build', 'denied'],
    ['http://a.example/swap/v2/build#x', 'denied'],
    ['/price/v3?of=/swap', null],
    ['/Swap/v2/build', null],
  ])('say what the gateway would do with %s', async (asked, name) => {
    await create('denied');
    const request = { path: asked, method: 'GET', key: '', ip: null, country: null, headers: {} };
    expect(unwrap(await tryRules(platform, TEAM, request)).decided?.name ?? null).toBe(name);
  });

  it.each(['swap/v2/order', 'a.example/swap'])('are not tried with %s, which is no path', async (asked) => {
    const request = { path: asked, method: 'GET', key: '', ip: null, country: null, headers: {} };
    expect(await tryRules(platform, TEAM, request)).toEqual(
      refusedAs('invalid-value', `path must begin with a slash, as in /status, got "${asked}"`),
    );
  });

  it('are tried with methods and countries in any case', async () => {
    const groups = [
      [
        { type: 'method', values: ['POST'] },
        { type: 'country', values: ['CH'] },
      ],
    ];
    await create('posts', { groups });
    const request = { path: '/', method: 'post', key: '', ip: null, country: 'ch', headers: {} };
    expect(unwrap(await tryRules(platform, TEAM, request)).matched).toEqual(['posts']);
  });

  it('take effect when they are created, changed, switched and deleted, each with an audit entry', async () => {
    unwrap(await create('no swaps'));
    expect(decided()).toBe('no swaps');
    unwrap(await changeRule(platform, ACTOR, path('no swaps'), { enabled: false }));
    expect(decided()).toBeNull();
    unwrap(await changeRule(platform, ACTOR, path('no swaps'), { enabled: true }));
    expect(decided()).toBe('no swaps');
    unwrap(
      await changeRule(platform, ACTOR, path('no swaps'), {
        groups: [[{ type: 'path', values: ['/price'] }]],
      }),
    );
    expect(decided()).toBeNull();
    unwrap(await deleteRule(platform, ACTOR, path('no swaps')));
    expect(await names()).toEqual([]);
    const entries = unwrap(await listAudit(platform)).items.filter(({ action }) =>
      action.startsWith('firewall_rule.'),
    );
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'firewall_rule.created',
      'firewall_rule.deleted',
      'firewall_rule.disabled',
      'firewall_rule.enabled',
      'firewall_rule.updated',
    ]);
    expect(entries).toContainEqual(
      expect.objectContaining({
        subject: 'demo/demo/no swaps',
        action: 'firewall_rule.updated',
        before: { rule: 'IF (path starts with /swap) THEN Deny', enabled: true },
        after: { rule: 'IF (path starts with /price) THEN Deny', enabled: true },
      }),
    );
  });

  it('are listed as they were sent, each with a distinct age', async () => {
    unwrap(await createKey(platform, ACTOR, { ...TEAM, key: 'ci' }, {}));
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
    const [first, second] = unwrap(await listRules(platform, TEAM));
    expect(first?.groups.flat().map(({ values }) => values)).toEqual(
      groups.flat().map(({ values }) => values),
    );
    expect(first && describeRule(first)).toBe(
      'IF (path starts with /swap AND API key is any of ci, demo AND method is POST) OR (header x-app equals iOS AND country is any of CH, XK) OR (IP is any of 203.0.113.0/24, 2001:db8::/32) THEN Deny',
    );
    expect(second && describeRule(second)).toBe('ALWAYS Rate limit to 30 requests per 60s (per ip)');
    expect([first?.createdAt, second?.createdAt]).toEqual([NOW, NOW + 1]);
  });

  it('belong to their team, and are deleted with it', async () => {
    unwrap(await createTeam(platform, ACTOR, { organisation: 'demo', team: 'other' }));
    unwrap(
      await createRule(platform, ACTOR, { organisation: 'demo', team: 'other', rule: 'r' }, { action: DENY }),
    );
    expect(decided()).toBeNull();
    unwrap(await deleteTeam(platform, ACTOR, { organisation: 'demo', team: 'other' }));
    unwrap(await createTeam(platform, ACTOR, { organisation: 'demo', team: 'other' }));
    expect(unwrap(await listRules(platform, { organisation: 'demo', team: 'other' }))).toEqual([]);
  });

  it('are at most 50, disabled ones included', async () => {
    for (let index = 0; index < 50; index++)
      unwrap(await create(`rule ${index}`, { enabled: index % 2 === 0 }));
    expect(await create('one more')).toEqual(refusedAs('limit-reached', 'demo/demo has 50 rules'));
    for (const gone of ['rule 1', 'rule 2']) unwrap(await deleteRule(platform, ACTOR, path(gone)));
    const ends = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => create(name)));
    expect(ends.filter(({ ok }) => ok)).toHaveLength(2);
    expect(await names()).toHaveLength(50);
  });

  it('cannot be changed or deleted if they do not exist, created twice, or lose their last condition with a bypass', async () => {
    unwrap(await create('one'));
    expect(await create('one')).toEqual(refusedAs('already-exists', 'demo/demo has a rule "one" already'));
    expect(await changeRule(platform, ACTOR, path('two'), {})).toEqual(
      refusedAs('not-found', 'demo/demo has no rule "two"'),
    );
    expect(await deleteRule(platform, ACTOR, path('two'))).toEqual(
      refusedAs('not-found', 'demo/demo has no rule "two"'),
    );
    unwrap(await changeRule(platform, ACTOR, path('one'), { action: { type: 'bypass' } }));
    expect(await changeRule(platform, ACTOR, path('one'), { groups: [] })).toEqual(
      refusedAs('invalid-value', 'at least one condition'),
    );
    expect(await listRules(platform, { organisation: 'demo', team: 'none' })).toEqual(
      refusedAs('not-found', 'no team "none"'),
    );
  });

  async function setUp(): Promise<void> {
    platform = await openTestPlatform(NOW, kind);
  }

  const create = (name: string, terms: Partial<RuleTerms> = {}) =>
    createRule(platform, ACTOR, path(name), { groups: [[SWAPS]], action: DENY, ...terms });
  const names = async () => unwrap(await listRules(platform, TEAM)).map(({ name }) => name);

  /** The decision of the demo key's firewall on a swap. */
  function decided(): string | null {
    const rules = platform.keys.find('jup_of_the_data_folder', NOW)?.rules ?? null;
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
});

describe('parseAction: the window of a rate limit', () => {
  it.each([
    ['1s', 1],
    ['90s', 90],
    ['5m', 300],
    ['60m', 3_600],
    ['second', 1],
    ['minute', 60],
  ])('reads %s as %i seconds', (window, windowSeconds) => {
    const action = parseAction({ type: 'rate-limit', limit: 1, window, per: 'ip' });
    expect(action).toMatchObject({ windowSeconds });
    expect(parseAction(toGivenAction(action))).toEqual(action);
  });
});

describe('a rule that an earlier version stored', () => {
  it('stays in force, though it could not be created today', async () => {
    const platform = await openTestPlatform(NOW);
    const header = (name: string, values: readonly string[]) => ({ type: 'header', name, values });
    const { id: teamId } = unwrap(await getTeam(platform.store.db, TEAM));
    const row = { teamId, enabled: 1, createdAt: 1 };
    const groups = [[header('host', ['a', 'b', 'c']), header('x-app', ['d', 'e', 'f'])]];
    await platform.store.db.insert(firewallRules).values([
      { ...row, id: 'a', name: 'a', groups: JSON.stringify(groups), action: '{"type":"deny"}' },
      {
        ...row,
        id: 'b',
        name: 'b',
        createdAt: 2,
        groups: '[]',
        action: '{"type":"rate-limit","limit":3,"window":"minute","per":"key"}',
      },
    ]);
    unwrap(await createRule(platform, ACTOR, path('c'), { action: DENY }));
    expect(platform.keys.find('jup_of_the_data_folder', NOW)?.rules?.rules).toHaveLength(3);
    unwrap(await changeRule(platform, ACTOR, path('a'), { enabled: false }));
    expect(unwrap(await listRules(platform, TEAM)).map(describeRule)).toEqual([
      'IF (header host equals any of a, b, c AND header x-app equals any of d, e, f) THEN Deny',
      'ALWAYS Rate limit to 3 requests per 60s (per api key)',
      'ALWAYS Deny',
    ]);
    await platform.cleanUp();
  });
});

describe('a firewall rule is refused that is', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await openTestPlatform(NOW);
  });
  afterAll(() => platform?.cleanUp());

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
    ['x', one({ type: 'header', name: 'Host', values: ['a'] }), 'host is reserved'],
    [
      'x',
      {
        groups: [
          [
            { type: 'header', name: 'x-app', values: ['a', 'b', 'c'] },
            { type: 'header', name: 'origin', values: ['d', 'e', 'f'] },
          ],
        ],
      },
      'a group may have 5 header values at most, got 6',
    ],
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
    ...['hour', '0s', '3601s', '61m', '1h', '-1s', '1.5s', 's', ''].map(
      (window): [string, Partial<RuleTerms>, string] => [
        'x',
        limit({ window }),
        'action.window must be seconds or minutes such as 30s or 5m, from 1s to 60m',
      ],
    ),
    ['x', limit({ per: 'wallet' }), 'action.per must be one of ip, key, team'],
  ])('%j with %j', async (name, terms, message) => {
    const create = async () =>
      createRule(platform, ACTOR, path(name), { groups: [[SWAPS]], action: DENY, ...terms });
    expect(await create()).toEqual(refusedAs('invalid-value', message));
    expect(unwrap(await listRules(platform, TEAM))).toEqual([]);
  });
});

const NOW = 1_790_000_000_000;
const ACTOR = { who: 'admin', from: '127.0.0.1' };
const TEAM = { organisation: 'demo', team: 'demo' };
const DENY = { type: 'deny' };
const SWAPS: GivenCondition = { type: 'path', values: ['/swap'] };
const path = (rule: string) => ({ ...TEAM, rule });
