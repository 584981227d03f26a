import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEST_CERTIFICATES } from '../../../testing/gateway/certificates.ts';
import { OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { createRecordingNetwork } from '../../../testing/gateway/admin-network.ts';
import { createAdminServer } from '../../../gateway/admin/server.ts';
import { listen } from '../../../gateway/http/listen.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../../gateway/server/server.ts';
import { createKey } from '../../../platform/accounts/keys.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { runForTest } from '../../../testing/run-cli.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { openForEach } from '../../../testing/opened.ts';

const NOW = 1_790_000_000_000;

let port: string;
const platform = openForEach(() => openTestPlatform(NOW), 'cleanUp');
const server = openForEach(() =>
  createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: createRecordingNetwork(),
    platform,
    limiter: createInProcessLimiter(),
    production: false,
    credential: OPERATOR_CREDENTIAL,
  }),
);
beforeEach(setUp);
afterEach(tearDown);

describe('sluice rule', () => {
  it('creates a rule, tries it, and deletes it', async () => {
    const when = 'path=/swap and key=demo or header.x-app=old';
    expect(await done('rule', 'add', 'demo/demo', 'no swaps', '--when', when, '--then', 'deny')).toBe(
      'IF (path starts with /swap AND API key is demo) OR (header x-app equals old) THEN Deny\n',
    );
    await done('rule', 'add', 'demo/demo', 'slow', '--then', '30 per minute per ip');
    const tried = await done('rule', 'test', 'demo/demo', '--path', '/swap/v2/build', '--key', 'demo');
    expect(tried).toMatch(
      /^rules that match +no swaps, slow\nrule that decides +no swaps\nwhat it does +Deny$/m,
    );
    const old = await done('rule', 'test', 'demo/demo', '--path', '/', '--header', 'X-App=old');
    expect(old).toMatch(/^rule that decides +no swaps$/m);
    expect(await done('rule', 'update', 'demo/demo', 'no swaps', '--enabled', 'false')).toMatch(/^off: IF/);
    expect(await done('rule', 'update', 'demo/demo', 'slow', '--when', 'ip=10.0.0.0/8')).toBe(
      'IF (IP is 10.0.0.0/8) THEN Rate limit to 30 requests per 60s (per ip)\n',
    );
    expect(await done('rule', 'test', 'demo/demo', '--path', '/swap', '--ip', '10.9.9.9')).toMatch(
      /^rule that decides +slow\nwhat it does +Rate limit to 30 requests per 60s \(per ip\)$/m,
    );
    expect(await done('rule', 'list', 'demo/demo')).toMatch(/^no swaps +off +IF .*\nslow +on +IF \(IP is /m);
    await done('rule', 'remove', 'demo/demo', 'slow');
    expect(await done('rule', 'test', 'demo/demo', '--path', '/swap')).toMatch(/^rules that match +none$/m);
    expect(await done('audit')).toMatch(/rule\.deleted +demo\/demo\/slow/);
  });

  it.each([
    [['rule', 'add', 'demo/demo', 'x'], 2, 'give --then with deny, log, bypass'],
    [['rule', 'add', 'demo/demo', 'x', '--then', 'bypass'], 1, 'a bypass needs at least one condition'],
    [
      ['rule', 'add', 'demo/demo', 'x', '--then', 'deny', '--when', 'asn=1'],
      1,
      'type must be one of path, key',
    ],
    [['rule', 'add', 'demo/demo', 'x', '--then', 'deny', '--when', 'path'], 2, 'must be TYPE=VALUE'],
    [['rule', 'add', 'demo/none', 'x', '--then', 'deny'], 1, 'demo has no team "none"'],
    [['rule', 'update', 'demo/demo', 'x'], 2, 'give --when, --then or --enabled'],
    [['rule', 'update', 'demo/demo', 'x', '--enabled', 'no'], 2, 'flag --enabled is "no"'],
    [['rule', 'remove', 'demo/demo', 'x'], 1, 'demo/demo has no rule "x"'],
    [['rule', 'test', 'demo/demo', '--path', '/', '--ip', 'here'], 1, 'ip must be an IP address, got "here"'],
    [['rule', 'test', 'demo/demo', '--path', '/', '--header', 'x'], 2, 'flag --header is "x"'],
    [['rule', 'test', 'demo/demo'], 2, 'give --path'],
  ])('refuses %j', async (args, code, message) => {
    const refused = await sluice(...args);
    expect(refused.err).toContain(message);
    expect(refused.code).toBe(code);
  });
});

describe('sluice org, team, key and audit', () => {
  it('create an organisation and a key that works, and delete both', async () => {
    await done('org', 'create', 'acme', 'free');
    await done('org', 'plan', 'acme', 'launch');
    await done('team', 'create', 'acme', 'web');
    const terms = ['--products', 'price,swap', '--expires', '2027-01-31T00:00:00Z'];
    const key = (await done('key', 'create', 'acme/web', 'ci server', ...terms)).trim();
    expect(platform.keys.find(key, NOW)).toMatchObject({
      products: ['swap', 'price'],
      limits: { main: 3_000 },
    });
    expect(await done('key', 'list', 'acme/web')).toMatch(
      /^ci server +jup_[0-9a-f]{4}\.\.\.[0-9a-f]{4} +swap,price +2027-01-31T00:00:00.000Z +2026-/m,
    );
    await done('key', 'change', 'acme/web', 'ci server', '--products', 'all');
    await done('key', 'change', 'acme/web', 'ci server', '--expires', 'never');
    expect(platform.keys.find(key, NOW)).toMatchObject({ products: null, expiresAt: null });
    expect(await done('org', 'show', 'acme')).toMatch(
      /^requests in 60 s +0 of 3000\n.*\n.*\nteam +acme\/web$/m,
    );
    expect(await done('key', 'rename', 'acme/web', 'ci server', 'ci')).toBe(
      'renamed the key acme/web/ci server to ci\n',
    );
    await done('key', 'delete', 'acme/web', 'ci');
    expect(platform.keys.find(key, NOW)).toBeNull();
    await done('team', 'delete', 'acme/web');
    await done('org', 'delete', 'acme');
    expect(await done('org', 'list')).not.toContain('acme');
    const audit = await done('audit');
    expect(audit).toMatch(
      /operator from 127\.0\.0\.1 +plan\.changed +acme +\{"plan":"free"\} -> \{"plan":"launch"\}/,
    );
    expect(audit).not.toContain(key);
  });

  it.each([
    [['org', 'show', 'none'], 1, 'the instance refused: there is no organisation "none"'],
    [['org', 'show', '../plans'], 1, 'there is no organisation "../plans"'],
    [['org', 'create', 'acme'], 2, 'usage: sluice org create <organisation> <plan>'],
    [['org', 'creat', 'acme', 'free'], 2, '"org creat" is not a command; did you mean org create?'],
    [['org'], 2, '"org" is not a command'],
    [['key', 'list', 'demo'], 2, 'the team is "demo", but must be ORGANISATION/TEAM'],
    [['key', 'create', 'demo/demo', 'x', '--products', 'swap,tx'], 1, 'products must be one or more of'],
    [['key', 'create', 'demo/demo', 'x', '--expires', 'soon'], 2, 'flag --expires is "soon"'],
    [['key', 'create', 'demo/demo', 'x', '--expires', '2020-01-01T00:00:00Z'], 1, 'expiresAt must be later'],
    [['key', 'change', 'demo/demo', 'demo'], 2, 'give --products or --expires'],
  ])('refuse %j', async (args, code, message) => {
    const refused = await sluice(...args);
    expect(refused.err).toContain(message);
    expect(refused.code).toBe(code);
  });
});

describe('sluice member', () => {
  it('invites a member, who may do what the role permits, and no more', async () => {
    const invitation = await secret('member', 'invite', 'demo', 'ann@example.com', 'admin');
    expect(invitation).toMatch(/^sluice_invite_[0-9a-f]{64}$/);
    expect(await done('member', 'invitations', 'demo')).toMatch(/^ann@example\.com +admin +2026-/m);
    const token = await secret('member', 'accept', invitation);
    expect(token).toMatch(/^sluice_member_[0-9a-f]{64}$/);
    expect(await done('member', 'list', 'demo')).toMatch(/^ann@example\.com +admin +2026-/m);
    const as = async (...args: string[]) => {
      const { code, out, err } = await sluiceAs(token, ...args);
      return code === 0 ? out : err;
    };
    expect(await as('whoami')).toMatch(/^who +demo\/ann@example\.com\nstanding +admin\nmay +account\.read$/m);
    expect(await as('team', 'create', 'demo', 'hers')).toBe('created the team demo/hers\n');
    expect(await as('team', 'list', 'demo')).toMatch(/^demo\/hers +2026-/m);
    const plans = await as('plan', 'list');
    expect(plans).toMatch(/^pro +9000 +6000 +6000$/m);
    expect(plans).toMatch(/^keyless +30 +1200 +1200$/m);
    expect(await as('org', 'plan', 'demo', 'launch')).toContain('launch');
    expect(await as('org', 'list')).toContain('does not have the right organisation.write');
    expect(await as('audit')).toContain('does not have the right instance.write');
    expect(await as('audit', '--organisation=demo', '--who=demo/ann@example.com')).toMatch(
      /demo\/ann@example\.com from 127\.0\.0\.1 +team\.created +demo\/hers/,
    );
    await done('org', 'create', 'acme', 'free');
    expect(await as('team', 'list', 'acme')).toContain('This token is for the organisation demo only');
    expect(await as('member', 'role', 'demo', 'ann@example.com', 'owner')).toContain('who is an owner');
    await done('member', 'role', 'demo', 'ann@example.com', 'owner');
    expect(await as('member', 'remove', 'demo', 'ann@example.com')).toContain('is the last owner of demo');
    const soon = '2026-10-01T00:00:00Z';
    const renewed = (await as('member', 'token', 'demo', 'ann@example.com', '--expires', soon)).trim();
    expect(await done('member', 'list', 'demo')).toMatch(
      /^ann@example\.com +owner +2026-09-\S+ +2026-10-01T00:00:00\.000Z +never +all$/m,
    );
    expect(await as('whoami')).toContain('does not know the credential');
    expect((await sluiceAs(renewed, 'whoami')).code).toBe(0);
    expect(await done('member', 'list', 'demo')).toMatch(/^ann.* 2026-10-01\S+ +2026-09-\S+ +all$/m);
    const audit = await done('audit', '--action=member');
    expect(audit).toMatch(
      /member\.role_changed +demo\/ann@example\.com +\{"role":"admin"\} -> \{"role":"owner"\}/,
    );
    for (const one of [invitation, token, renewed]) expect(audit).not.toContain(one.slice(-64));
  });

  it('may change the keys and rules of the teams that they belong to', async () => {
    const token = await secret('member', 'accept', await secret('member', 'invite', 'demo', 'eve', 'member'));
    const create = () => sluiceAs(token, 'key', 'create', 'demo/demo', 'of eve');
    expect((await create()).err).toContain('demo/eve does not belong to the team demo/demo');
    expect(await done('team', 'add', 'demo/demo', 'eve')).toBe('added eve to the team demo/demo\n');
    expect((await create()).code).toBe(0);
    expect(await done('team', 'members', 'demo/demo')).toMatch(/^eve +member +2026-/m);
    expect(await done('member', 'list', 'demo')).toMatch(/^eve .* demo$/m);
    expect(await done('team', 'remove', 'demo/demo', 'eve')).toBe('removed eve from the team demo/demo\n');
    expect((await sluiceAs(token, 'key', 'delete', 'demo/demo', 'of eve')).code).toBe(1);
  });

  it('shows until when a token works, which is 90 days at most', async () => {
    const invitation = await secret('member', 'invite', 'demo', 'cat', 'member');
    const late = await sluice('member', 'accept', invitation, '--expires=2027-01-01T00:00:00Z');
    expect(late.err).toContain('as member-token-days says');
    const accepted = await sluice('member', 'accept', invitation);
    expect(accepted.err).toContain(`expires at ${new Date(NOW + 90 * 86_400_000).toISOString()}`);
  });

  it('revokes an invitation that was not accepted', async () => {
    const invitation = await secret('member', 'invite', 'demo', 'ben', 'member');
    await done('member', 'revoke', 'demo', 'ben');
    expect((await sluice('member', 'accept', invitation)).err).toContain('not one that can be accepted');
  });

  it('reads lists that are longer than a page', async () => {
    for (let index = 0; index < 101; index++) {
      unwrap(
        await createKey(platform, { who: 'test', from: 'test' }, { ...DEMO_TEAM, key: `k${index}` }, {}),
      );
    }
    expect((await done('key', 'list', 'demo/demo')).match(/^k\d+ /gm)).toHaveLength(101);
    const first = await sluice('audit', '--limit=100', '--action=api_key');
    expect(first.out.match(/key\.created/g)).toHaveLength(100);
    const cursor = /--cursor (\S+)/.exec(first.err)?.[1] ?? '';
    expect(
      (await sluice('audit', '--action=api_key', `--cursor=${cursor}`)).out.match(/key\.created/g),
    ).toHaveLength(2);
  });

  it.each([
    [['audit', '--since=yesterday'], 2, 'flag --since is "yesterday"'],
    [['audit', '--limit=0'], 2, 'flag --limit is "0"'],
    [['audit', '--cursor=x'], 1, 'cursor must be the next of a page before'],
    [['member', 'invite', 'demo', 'Ann', 'member'], 1, "the member's name must be"],
    [['member', 'invite', 'demo', 'ann', 'boss'], 1, 'role must be one of owner, admin, member'],
    [['member', 'remove', 'demo', 'ann'], 1, 'demo has no member "ann"'],
    [['member', 'token', 'demo', 'ann', '--expires=soon'], 2, 'flag --expires is "soon"'],
    [['member', 'list', 'none'], 1, 'no organisation "none"'],
  ])('refuses %j', async (args, code, message) => {
    const refused = await sluice(...args);
    expect(refused.err).toContain(message);
    expect(refused.code).toBe(code);
  });

  const secret = async (...args: string[]) => (await done(...args)).trim();
});

it('names the possible sources of a credential when there is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
  const args = ['whoami', `--admin-port=${port}`];
  const { code, err } = await runForTest(args, folder);
  expect(code).toBe(1);
  expect(err).toContain(`needs a credential, and there is none at ${folder}/.sluice/operator-credential`);
  mkdirSync(join(folder, '.sluice'));
  writeFileSync(join(folder, '.sluice', 'operator-credential'), `${OPERATOR_CREDENTIAL}\n`);
  expect((await runForTest(args, folder)).code).toBe(0);
  rmSync(folder, { recursive: true });
});

it('connects to an instance with the expected certificate only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
  const fileOf = (index: 0 | 1, kind: 'certificate' | 'key') => {
    const path = join(folder, `${kind}-${index}.pem`);
    writeFileSync(path, TEST_CERTIFICATES[index][kind]);
    return path;
  };
  const secure = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: createRecordingNetwork(),
    platform,
    limiter: createInProcessLimiter(),
    production: false,
    credential: OPERATOR_CREDENTIAL,
    tls: {
      files: { certificate: fileOf(0, 'certificate'), key: fileOf(0, 'key') },
      every: () => () => {},
      onDefect: () => {},
    },
  });
  const own = port;
  port = new URL(await listen(secure, { host: '127.0.0.1', port: 0, setting: 'admin-port' })).port;
  const flags = (index: 0 | 1) => [
    // An operator who manages an instance remotely does not have its private key.
    `--admin-tls-cert=${fileOf(index, 'certificate')}`,
  ];
  expect(await done('whoami', ...flags(0))).toContain('operator');
  expect(await done('team', 'create', 'demo', 'secure', ...flags(0))).toContain('demo/secure');
  const other = await sluice('whoami', ...flags(1));
  expect(other.err).toMatch(/shows another certificate than the first of .*certificate-1\.pem/);
  port = own;
  await closeServer(secure);
  rmSync(folder, { recursive: true });
});

describe('sluice plan', () => {
  it('lists the limits, and changes and resets them', async () => {
    expect(await done('plan', 'list')).toMatch(/^free +60 +3000 +3000$/m);
    expect(await done('plan', 'change', 'free', '--main', '120', '--submit', '9')).toBe(
      'free has now 120 requests, 3000 executions and 9 submissions in 60 s\n',
    );
    expect(await done('plan', 'change', 'keyless', '--main', '0')).toBe(
      'keyless has now no access: a key is required\n',
    );
    const listed = await done('plan', 'list');
    expect(listed).toMatch(/^free +120 +3000 +9 +60, 3000, 3000$/m);
    expect(listed).toMatch(/^keyless +a key is required +- +- +30, 1200, 1200$/m);
    await done('plan', 'reset', 'free');
    expect(await done('plan', 'list')).toMatch(/^free +60 +3000 +3000$/m);
  });

  it('is what an organisation is shown to have', async () => {
    await done('plan', 'change', 'pro', '--execute', '77');
    expect(await done('org', 'show', 'demo')).toMatch(/^executions in 60 s +0 of 77$/m);
  });

  it.each([
    [['change', 'gold', '--main', '1'], 1, 'plan must be one of keyless'],
    [['change', 'free'], 1, 'give one or more of main, execute, submit'],
    [['change', 'free', '--main', '0'], 1, 'main of free must be a whole number from 1 to 1000000, got 0'],
    [
      ['change', 'free', '--main', '-1'],
      2,
      'flag --main is "-1", but must be a whole number from 0 to 1000000',
    ],
    [['change', 'free', '--main', '9999999'], 1, 'main'],
    [['reset', 'free'], 1, 'there is nothing to reset'],
  ])('refuses %j', async (args, code, message) => {
    const refused = await sluice('plan', ...args);
    expect(refused.err).toContain(message);
    expect(refused.code).toBe(code);
  });
});

const DEMO_TEAM = { organisation: 'demo', team: 'demo' };

async function setUp(): Promise<void> {
  port = new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: 'admin-port' })).port;
}

async function tearDown(): Promise<void> {
  await closeServer(server);
}

async function sluice(...args: string[]) {
  return sluiceAs(OPERATOR_CREDENTIAL, ...args);
}

async function sluiceAs(credential: string, ...args: string[]) {
  return runForTest([...args, `--admin-port=${port}`, `--admin-credential=${credential}`]);
}

async function done(...args: string[]): Promise<string> {
  const { code, out, err } = await sluice(...args);
  expect(code, err).toBe(0);
  return out;
}
