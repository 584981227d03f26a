import { difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

const LABELS = '/swap/v1/program-id-to-label';
const DENIED = { status: 403, body: { code: 403, message: 'Request blocked by firewall' } };
const LIMITED = { status: 429, body: { code: 429, message: 'Too many requests' } };
const DENY = { type: 'deny' };

interface Condition {
  readonly type: string;
  readonly name?: string;
  readonly values: readonly string[];
}
const path = (...values: string[]): Condition => ({ type: 'path', values });
const method = (...values: string[]): Condition => ({ type: 'method', values });
const header = (name: string, ...values: string[]): Condition => ({ type: 'header', name, values });
const ip = (...values: string[]): Condition => ({ type: 'ip', values });
const limit = (requests: number, window: string, per = 'team') => ({
  type: 'rate-limit',
  limit: requests,
  window,
  per,
});

/** Makes a team and tells how to change its rules and to send requests with its key. */
async function newTeam(world: World) {
  const { slug, team, key } = await world.newOrganisation();
  const rules = `/admin/v1/organisations/${slug}/teams/${team}/rules`;
  let count = 0;
  return {
    rules,
    add: (action: object, ...groups: readonly (readonly Condition[])[]) =>
      world.admin('POST', rules, { name: `rule ${count++}`, groups, action }),
    ask: (headers: Readonly<Record<string, string>> = {}) => world.ask(LABELS, { key, headers }),
    /** The newest entry of the request log, which is written within a few seconds. */
    entry: async () => {
      for (let attempt = 0; attempt < 20; attempt++) {
        const { json } = await world.admin('GET', `/admin/v1/organisations/${slug}/log`);
        if (json.entries.length > 0) return json.entries[0];
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      throw new Error('the request log has no entry');
    },
  };
}

function refused(id: string, says: string, action: object, ...groups: (readonly Condition[])[]): Statement {
  return {
    id: `firewall/${id}`,
    says,
    check: async (world) => difference(await (await newTeam(world)).add(action, ...groups), { status: 400 }),
  };
}

/** @param rules the oldest first */
function decides(
  id: string,
  says: string,
  expected: { readonly status: number; readonly body?: Readonly<Record<string, unknown>> },
  ...rules: readonly (readonly [action: object, ...groups: (readonly Condition[])[]])[]
): Statement {
  return {
    id: `firewall/${id}`,
    says,
    check: async (world) => {
      const { add, ask } = await newTeam(world);
      for (const [action, ...groups] of rules) await add(action, ...groups);
      return difference(await ask({ 'x-app': 'ios' }), expected);
    },
  };
}

function reads(expression: string, action: object, ...groups: (readonly Condition[])[]): Statement {
  return {
    id: `firewall/text-${expression
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replace(/-$/, '')}`,
    says: `A rule is shown as \`${expression}\`.`,
    check: async (world) =>
      difference(await (await newTeam(world)).add(action, ...groups), { body: { expression } }),
  };
}

function window(given: string, requests: number): Statement {
  return {
    id: `firewall/window-${given}`,
    says: `A rate limit may have the window ${given}.`,
    check: async (world) => {
      const { add, ask } = await newTeam(world);
      const added = await add(limit(requests, given));
      for (let index = 0; index < requests; index++) await ask();
      const answer = await ask();
      const seconds = Number.parseInt(given, 10) * (given.endsWith('m') ? 60 : 1);
      const reset = Number(answer.headers.get('x-ratelimit-reset')) - Date.now() / 1_000;
      return firstOf(
        difference(added, { status: 200 }),
        difference(answer, LIMITED),
        unless(reset > seconds - 10 && reset <= seconds + 1, { reset }),
      );
    },
  };
}

const RESERVED = [
  'x-api-key',
  'authorization',
  'cookie',
  'host',
  'x-forwarded-for',
  'x-real-ip',
  'x-api-gateway-request-id',
];

export const firewallStatements: readonly Statement[] = [
  decides('deny', 'A denied request is answered 403 `Request blocked by firewall`.', DENIED, [DENY]),
  decides('log-passes', 'A log rule lets requests pass.', { status: 200 }, [{ type: 'log' }]),
  decides('prefix', 'A path condition holds for paths that begin with it.', DENIED, [DENY, [path('/swa')]]),
  decides('path-case', 'A path condition is case-sensitive.', { status: 200 }, [DENY, [path('/Swap')]]),
  decides('method', 'A method condition holds for its methods.', DENIED, [DENY, [method('POST', 'GET')]]),
  decides('header', 'A header condition holds for its exact value.', DENIED, [
    DENY,
    [header('x-app', 'ios')],
  ]),
  decides('header-name-case', 'The name of a header is not case-sensitive.', DENIED, [
    DENY,
    [header('X-App', 'ios')],
  ]),
  decides('header-case', 'The value of a header is case-sensitive.', { status: 200 }, [
    DENY,
    [header('x-app', 'iOS')],
  ]),
  decides('header-or', 'Header values are joined by OR.', DENIED, [DENY, [header('x-app', 'web', 'ios')]]),
  decides('ip', 'An IP condition holds for networks.', DENIED, [DENY, [ip('10.0.0.0/8', '127.0.0.0/8')]]),
  decides('key', 'A key condition holds for keys of the team.', DENIED, [
    DENY,
    [{ type: 'key', values: ['key'] }],
  ]),
  decides('and', 'Conditions of one group are joined by AND.', { status: 200 }, [
    DENY,
    [path('/swap'), method('POST')],
  ]),
  decides('or', 'Groups are joined by OR.', DENIED, [DENY, [method('POST')], [path('/swap')]]),
  decides(
    'bypass-over-deny',
    'Bypass outranks deny.',
    { status: 200 },
    [DENY],
    [{ type: 'bypass' }, [path('/')]],
  ),
  decides(
    'deny-over-limit',
    'Deny outranks a rate limit.',
    DENIED,
    [limit(1, '60s'), [path('/swap')]],
    [DENY],
  ),
  {
    id: 'firewall/limit-over-log',
    says: 'A rate limit outranks a log rule.',
    check: async (world) => {
      const { add, ask } = await newTeam(world);
      await add({ type: 'log' }, [path('/swap'), method('GET')]);
      await add(limit(1, '60s'));
      await ask();
      return difference(await ask(), LIMITED);
    },
  },
  {
    id: 'firewall/specific-first',
    says: 'Of two rules with the same action, the one with more types of conditions decides; both are recorded.',
    check: async (world) => {
      const { add, ask, entry } = await newTeam(world);
      await add(DENY, [path('/swap')]);
      await add(DENY, [path('/swap'), method('GET')]);
      await ask();
      const { firewall } = await entry();
      return unless(firewall.rule === 'rule 1' && firewall.matched.length === 2, firewall);
    },
  },
  {
    id: 'firewall/disabled',
    says: 'A disabled rule does nothing.',
    check: async (world) => {
      const { add, ask, rules } = await newTeam(world);
      await add(DENY);
      await world.admin('PATCH', `${rules}/rule%200`, { enabled: false });
      return difference(await ask(), { status: 200 });
    },
  },
  {
    id: 'firewall/keyless',
    says: 'Rules do not apply to requests without a key.',
    check: async (world) => {
      await (await newTeam(world)).add(DENY);
      return difference(await world.ask(LABELS, { key: null }), { status: 200 });
    },
  },
  {
    id: 'firewall/limit-headers',
    says: 'A refusal by a rate limit carries the three rate headers, for the window of the rule.',
    check: async (world) => {
      const { add, ask } = await newTeam(world);
      await add(limit(2, '60s'));
      for (let index = 0; index < 2; index++) await ask();
      const { headers } = await ask();
      const seen = ['remaining', 'current'].map((name) => headers.get(`x-ratelimit-${name}`));
      return unless(seen.join() === '-1,3' && headers.get('x-ratelimit-reset') !== null, seen);
    },
  },
  {
    id: 'firewall/limit-per-key',
    says: 'A rate limit per key counts each key by itself.',
    check: async (world) => {
      const { slug, team, key } = await world.newOrganisation();
      const base = `/admin/v1/organisations/${slug}/teams/${team}`;
      const { key: other } = (await world.admin('POST', `${base}/keys`, { name: 'other' })).json;
      await world.admin('POST', `${base}/rules`, { name: 'slow', action: limit(1, '60s', 'key') });
      const answers = [key, key, other].map((one) => () => world.ask(LABELS, { key: one }));
      const statuses: number[] = [];
      for (const ask of answers) statuses.push((await ask()).status);
      return unless(statuses.join() === '200,429,200', statuses);
    },
  },
  {
    id: 'firewall/counters-reset',
    says: 'The counters of a rate limit begin again when its numbers change.',
    check: async (world) => {
      const { add, ask, rules } = await newTeam(world);
      await add(limit(1, '60s'));
      await ask();
      const before = await ask();
      await world.admin('PATCH', `${rules}/rule%200`, { action: limit(2, '60s') });
      const after = [await ask(), await ask(), await ask()].map(({ status }) => status);
      return firstOf(difference(before, LIMITED), unless(after.join() === '200,200,429', after));
    },
  },
  window('10s', 2),
  window('90s', 1),
  window('5m', 1),
  window('60m', 1),
  refused('window-zero', 'A window of no seconds is refused.', limit(1, '0s')),
  refused('bypass-condition', 'A bypass without a condition is refused.', { type: 'bypass' }),
  refused('header-values', 'Six values of one header are refused.', DENY, [
    header('x-app', 'a', 'b', 'c', 'd', 'e', 'f'),
  ]),
  refused(
    'header-values-group',
    'Six header values in one group are refused, also in two conditions.',
    DENY,
    [header('x-app', 'a', 'b', 'c'), header('origin', 'd', 'e', 'f')],
  ),
  ...RESERVED.map((name) =>
    refused(`reserved-${name}`, `The header ${name} is reserved.`, DENY, [header(name, 'a')]),
  ),
  refused('countries', 'More than 50 countries are refused.', DENY, [
    { type: 'country', values: Array(51).fill('CH') },
  ]),
  {
    id: 'firewall/deny-all',
    says: 'A deny without conditions is accepted.',
    check: async (world) => difference(await (await newTeam(world)).add(DENY), { status: 200 }),
  },
  {
    id: 'firewall/fifty',
    says: 'A team has at most 50 rules, disabled ones included; deleted ones do not count.',
    check: async (world) => {
      const { rules } = await newTeam(world);
      const add = (name: string) => world.admin('POST', rules, { name, enabled: false, action: DENY });
      for (let index = 0; index < 50; index++) await add(`r${index}`);
      const beyond = await add('one more');
      await world.admin('DELETE', `${rules}/r0`);
      return firstOf(difference(beyond, { status: 409 }), difference(await add('instead'), { status: 200 }));
    },
  },
  reads('IF (path starts with /swap AND method is POST) THEN Deny', DENY, [path('/swap'), method('POST')]),
  reads(
    'IF (method is POST) OR (method is GET) THEN Log',
    { type: 'log' },
    [method('POST')],
    [method('GET')],
  ),
  reads('IF (IP is 10.0.0.0/8) THEN Bypass', { type: 'bypass' }, [ip('10.0.0.0/8')]),
  reads(
    'IF (path starts with /swap) THEN Rate limit to 30 requests per 60s (per ip)',
    limit(30, '60s', 'ip'),
    [path('/swap')],
  ),
  reads('ALWAYS Rate limit to 30 requests per 10s (per api key)', limit(30, '10s', 'key')),
  reads('ALWAYS Rate limit to 5 requests per 120s (per team)', limit(5, '2m')),
];
