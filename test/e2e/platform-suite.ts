import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { now } from '../../src/testing/waits.ts';
import { Deployment, type DeploymentKind, TESTED_DEPLOYMENTS } from './deployment.ts';

const LABELS = '/swap/v2/program-id-to-label';
const inAnHour = () => new Date(now() + 3_600_000).toISOString();

/** The tests of one deployment. They are a file for each, which run side by side. */
export function describePlatform(kind: DeploymentKind): void {
  describe.runIf(TESTED_DEPLOYMENTS.includes(kind))(`the platform on ${kind}`, () => {
    let deployment: Deployment;
    beforeAll(async () => {
      deployment = await Deployment.open(kind, { reason: 'kills it, and counts its requests' });
    });
    afterAll(() => deployment?.close());

    it('shows what the demo key used', async () => {
      const key = deployment.shown('API key');
      await deployment.everywhere('/healthz', key, 200);
      for (let index = 0; index < 3; index++) expect(await deployment.statusOf(LABELS, key)).toBe(200);
      expect(await deployment.sluice('org', 'show', 'demo')).toMatch(/^requests in 60 s +3 of 9000$/m);
      expect(await deployment.sluice('key', 'list', 'demo/demo')).toMatch(
        /^demo +jup_\w{4}\.{3}\w{4} +all +never +20\d\d-/m,
      );
    });

    it('gives out keys that open what they are for, also after it was killed, until they are deleted', async () => {
      const key = await deployment.sluice('key', 'create', 'demo/demo', 'swaps', '--products', 'swap');
      await deployment.everywhere(LABELS, key, 200);
      const outside = await deployment.ask('/tokens/v2/recent', key);
      expect(await outside.json()).toEqual({
        code: 403,
        message: 'API key does not have access to this endpoint',
      });
      await deployment.instance(0).stop();
      await deployment.start(0);
      await deployment.everywhere(LABELS, deployment.shown('API key'), 200);
      await deployment.everywhere(LABELS, key, 200);
      await deployment.sluice('key', 'delete', 'demo/demo', 'swaps');
      expect(await deployment.statusOf(LABELS, key, deployment.shown('REST'))).toBe(401);
      await deployment.everywhere(LABELS, key, 401);
      deployment.instance(0).kill('SIGTERM');
      const { out, error } = await deployment.instance(0).ended();
      expect(out + error).not.toContain(key);
      for (const { path, content } of [...deployment.files(), ...(await deployment.inServers())]) {
        expect(content.includes(key.slice(-64)), path).toBe(false);
      }
      await deployment.start(0);
    });

    it('lets members in who do what their role says, at every instance, until they are removed', async () => {
      const [name, path] = ['ann@example.com', '/admin/v1/organisations/demo'];
      const invitation = await deployment.sluice('member', 'invite', 'demo', name, 'member');
      const token = await deployment.sluice('member', 'accept', invitation, '--expires', inAnHour());
      const last = new URL(deployment.shown('Admin', deployment.size - 1)).origin;
      const as = async (url: string, init: RequestInit = {}) =>
        (await fetch(`${last}${url}`, { ...init, headers: { authorization: `Bearer ${token}` } })).status;
      expect(await as(path)).toBe(200);
      expect(await as(`${path}/audit`)).toBe(403);
      expect(await as(path, { method: 'DELETE' })).toBe(403);
      expect(await deployment.sluice('member', 'list', 'demo')).toMatch(
        /^ann@example\.com +member +20\S+ +20\S+ +20\S+ +none$/m,
      );
      expect(await deployment.sluice('audit', '--subject', `demo/${name}`)).toMatch(
        /^\S+ +operator from \S+ +member\.invited /m,
      );
      await deployment.sluice('member', 'remove', 'demo', name);
      expect(await as(path)).toBe(401);
      for (const { path: place, content } of [...deployment.files(), ...(await deployment.inServers())]) {
        for (const secret of [invitation, token]) {
          expect(content.includes(secret.slice(-64)), place).toBe(false);
        }
      }
    });

    it('counts together what a firewall rule limits', async () => {
      await deployment.sluice('team', 'create', 'demo', 'slow');
      const key = await deployment.sluice('key', 'create', 'demo/slow', 'web');
      const limit = ['--when', 'path=/swap', '--then', '3 per minute per team'];
      await deployment.sluice('rule', 'add', 'demo/slow', 'few swaps', ...limit);
      await deployment.sluice(
        'rule',
        'add',
        'demo/slow',
        'no prices',
        '--when',
        'path=/price',
        '--then',
        'deny',
      );
      // Who knows the later rule knows the earlier one.
      await deployment.everywhere('/price/v3', key, 403);
      const answers: Response[] = [];
      for (let index = 0; index < 4; index++) answers.push(await deployment.ask(LABELS, key));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(await answers[3]?.json()).toEqual({ code: 429, message: 'Too many requests' });
      expect(answers[3]?.headers.get('x-ratelimit-remaining')).toBe('-1');
    });

    it('does what firewall rules say wherever a request comes in, and logs and counts it, also when it is killed', async () => {
      await deployment.sluice('team', 'create', 'demo', 'guarded');
      const key = await deployment.sluice('key', 'create', 'demo/guarded', 'web');
      await deployment.everywhere(LABELS, key, 200);
      const rule = [
        'rule',
        'add',
        'demo/guarded',
        'no labels',
        '--when',
        'path=/swap/v2/program and ip=127.0.0.1',
      ];
      await deployment.sluice(...rule, '--then', 'deny');
      await deployment.everywhere(LABELS, key, 403);
      const blocked = await deployment.ask(LABELS, key);
      expect(await blocked.json()).toEqual({ code: 403, message: 'Request blocked by firewall' });
      await deployment.sluice('rule', 'update', 'demo/guarded', 'no labels', '--enabled', 'false');
      await deployment.everywhere(LABELS, key, 200);
      // An instance writes what it answered within a second.
      const id = blocked.headers.get('x-api-gateway-request-id') ?? '';
      const logged = () =>
        deployment.sluice('log', 'list', '--of', 'demo/guarded', '--rule', 'no labels', '--limit', '1000');
      await expect.poll(logged).toContain(id);
      await deployment.instance(0).stop();
      await deployment.start(0);
      expect(await deployment.sluice('log', 'show', id)).toMatch(/^firewall +no labels: deny$/m);
      for (let index = 0; index < deployment.size; index++) {
        expect(await deployment.admin(index, '/admin/v1/organisations/demo/log?rule=no%20labels')).toContain(
          id,
        );
      }
      expect(await deployment.sluice('usage', 'demo', '--by', 'endpoint', '--team', 'guarded')).toMatch(
        /^\/swap\/v2\/program-id-to-label +[1-9]\d* +[1-9]\d* +[1-9]\d*$/m,
      );
      expect(await deployment.sluice('org', 'show', 'demo')).toMatch(
        /^credits in \d{4}-\d\d +[1-9]\d* of 500000000$/m,
      );
      expect(await deployment.sluice('analytics', '--of', 'demo/guarded')).toMatch(
        /^guarded\/no labels +deny +[1-9]\d*$/m,
      );
    });

    it('admits 30 requests in a minute without a key, and says so', async () => {
      const answers: Response[] = [];
      for (let index = 0; index < 31; index++) answers.push(await deployment.ask(LABELS));
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
      expect(await answers[30]?.json()).toEqual({ code: 429, message: '[API Gateway] Too many requests' });
      expect(answers[30]?.headers.get('x-ratelimit-remaining')).toBe('-1');
      expect(await deployment.statusOf('/healthz')).toBe(200);
      expect(await deployment.statusOf(LABELS, deployment.shown('API key'))).toBe(200);
    });

    it('holds changed limits at every instance, also after it was killed', async () => {
      const key = deployment.shown('API key');
      const limitedTo = async (limit: number) => {
        for (let index = 0; index < deployment.size; index++) {
          const limits = async () => {
            const { headers } = await deployment.ask(LABELS, key, deployment.shown('REST', index));
            const [remaining, current] = ['remaining', 'current'].map((name) =>
              Number(headers.get(`x-ratelimit-${name}`)),
            );
            expect((remaining ?? 0) + (current ?? 0)).toBe(limit);
          };
          await vi.waitFor(limits, { interval: 250 });
        }
      };
      const plan = (name: string, init: RequestInit) => deployment.admin(0, `/admin/v1/plans/${name}`, init);
      const change = (name: string, main: number) => {
        const headers = { 'content-type': 'application/json' };
        return plan(name, { method: 'PATCH', headers, body: JSON.stringify({ main }) });
      };
      await change('pro', 8_000);
      await change('keyless', 0);
      await deployment.instance(0).stop();
      await deployment.start(0);
      await limitedTo(8_000);
      await deployment.everywhere(LABELS, '', 401);
      const { entries } = JSON.parse(await deployment.admin(0, '/admin/v1/audit?action=plan.limits_changed'));
      expect(entries).toMatchObject([
        { actor: 'operator', subject: 'plan:keyless', before: { main: 30 }, after: { main: 0 } },
        { actor: 'operator', subject: 'plan:pro', before: { main: 9_000 }, after: { main: 8_000 } },
      ]);
      for (const name of ['pro', 'keyless']) await plan(name, { method: 'DELETE' });
      await limitedTo(9_000);
      // A caller without a key is known again, whether it has requests left in this minute or not.
      for (let index = 0; index < deployment.size; index++) {
        const rest = deployment.shown('REST', index);
        const isKnown = async () => expect([200, 429]).toContain(await deployment.statusOf(LABELS, '', rest));
        await vi.waitFor(isKnown, { interval: 250 });
      }
    });

    it.runIf(kind === 'two instances')('changes what a key may do in every instance', async () => {
      const key = await deployment.sluice('key', 'create', 'demo/demo', 'changing', '--products', 'swap');
      await deployment.everywhere(LABELS, key, 200);
      await deployment.sluice('key', 'change', 'demo/demo', 'changing', '--products', 'price');
      expect(await deployment.statusOf(LABELS, key, deployment.shown('REST'))).toBe(403);
      await deployment.everywhere(LABELS, key, 403);
    });

    it.runIf(kind === 'two instances')('refuses an instance with another secret', async () => {
      const started = deployment.start(2, `--key-secret=${'s'.repeat(32)}`);
      await expect(started).rejects.toThrow(
        'set key-secret to the one that the first instance on this database used',
      );
    });
  });
}
