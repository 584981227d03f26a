import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey, deleteKey } from '../../../platform/accounts/keys.ts';
import { createOrganisation, deleteOrganisation } from '../../../platform/accounts/organisations.ts';
import { createTeam, deleteTeam } from '../../../platform/accounts/teams.ts';
import type { RequestEntry } from '../../../platform/traffic/log/request-entry.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openForEach } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { entryWith, openTestTraffic } from '../../../testing/platform/traffic.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { openTestLog } from '../../../testing/store/test-store.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { createAdminServer } from '../server.ts';

let app: FastifyInstance;
let log: TrafficLog;
const platform = openForEach(openTestPlatform);
beforeEach(setUp);
afterEach(tearDown);

describe('the request log of the admin interface', () => {
  it('selects the requests of an organisation, a team, a key, or without a key', async () => {
    const [own, other] = [await createOwner('acme'), await createOwner('other')];
    const without = record({
      owner: null,
      status: 401,
      decision: 'unauthorised',
      country: null,
      endpoint: '',
    });
    const ofOwn = record({ owner: own, endpoint: '/price/v3' });
    const ofOther = record({ owner: other });
    expect(await find('log')).toEqual([ofOther, ofOwn, without]);
    expect(await find('log?organisation=acme')).toEqual([ofOwn]);
    expect(await find('log?organisation=acme&team=web&key=app')).toEqual([ofOwn]);
    expect(await find('log?key=none')).toEqual([without]);
    expect(await find('log?country=unknown')).toEqual([without]);
    expect(await find('log?endpoint=none')).toEqual([without]);
    expect(await find('log?endpoint=/price/v3')).toEqual([ofOwn]);
    expect(await find('organisations/acme/log?team=web&key=app')).toEqual([ofOwn]);
  });

  it('selects what was deleted by the id that entries show, within the organisation alone', async () => {
    const [own, other] = [await createOwner('acme'), await createOwner('other')];
    const [ofOwn, ofOther] = [record({ owner: own }), record({ owner: other })];
    unwrap(await deleteKey(platform, ACTOR, { organisation: 'acme', team: 'web', key: 'app' }));
    const [entry] = (await read('organisations/acme/log')).entries;
    expect(entry).toMatchObject({ team: 'web', key: own.keyId });
    expect(await find(`organisations/acme/log?team=web&key=${own.keyId}`)).toEqual([ofOwn]);
    unwrap(await deleteTeam(platform, ACTOR, { organisation: 'acme', team: 'web' }));
    expect(await find(`organisations/acme/log?team=${own.teamId}&key=${own.keyId}`)).toEqual([ofOwn]);
    expect(await find(`organisations/acme/log?team=${other.teamId}`)).toEqual([]);
    expect(await find(`organisations/acme/log?team=${other.teamId}&key=${other.keyId}`)).toEqual([]);
    unwrap(await deleteOrganisation(platform, ACTOR, 'other'));
    expect(await find(`log?organisation=${other.organisationId}`)).toEqual([ofOther]);
  });

  it('refuses what it cannot select, and says why', async () => {
    await createOwner('acme');
    for (const [path, message] of [
      ['log?team=web', 'team needs organisation'],
      ['log?key=app', 'key needs organisation and team, or must be none'],
      ['log?organisation=acme&key=none', 'key needs team'],
      ['log?organisation=none', 'there is no organisation'],
      ['log?country=ch', 'country'],
      ['log?outcome=denied', 'outcome must be one of'],
      ['organisations/acme/log?organisation=other', 'organisation is not known'],
      ['organisations/acme/log?team=none', 'has no team'],
    ] as const) {
      const { statusCode, body } = await get(path);
      expect([400, 404], path).toContain(statusCode);
      expect(body).toContain(message);
    }
  });
});

describe('the analytics of the admin interface', () => {
  it('name the owners of keys, and are the sums of the log', async () => {
    const own = await createOwner('acme');
    record({ owner: own, country: 'CH' });
    record({ owner: own, status: 500, credits: 0 });
    record({ owner: null, status: 401, decision: 'unauthorised', credits: 0 });
    const { since, until } = { since: platform.now() - 86_400_000, until: platform.now() + 1 };
    const answer = await read(`analytics?since=${since}&until=${until}`);
    const { entries } = await read(`log?since=${answer.range.since}&until=${answer.range.until}`);
    expect(answer.total).toMatchObject({
      requests: entries.length,
      clientErrors: 1,
      serverErrors: 1,
      credits: 1,
    });
    expect(answer.keys).toEqual([
      expect.objectContaining({ organisation: 'acme', team: 'web', key: 'app', requests: 2 }),
      expect.objectContaining({ organisation: null, team: null, key: '', requests: 1 }),
    ]);
    expect(answer.previousRange.until).toBe(answer.range.since);
    expect(answer.countedSince).toBeLessThanOrEqual(platform.now());
  });
});

const ACTOR = { who: 'test', from: 'here' };
const closes: (() => Promise<unknown>)[] = [];

async function setUp(): Promise<void> {
  const database = await openTestLog('sqlite');
  closes.push(platform.cleanUp, database.cleanUp);
  log = await openTestTraffic(database.log, { now: platform.now });
  app = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: null,
    platform,
    limiter: createInProcessLimiter(),
    traffic: log,
    production: true,
    credential: OPERATOR_CREDENTIAL,
  });
  closes.push(() => app.close());
}

async function tearDown(): Promise<void> {
  for (const close of closes.splice(0).reverse()) await close();
}

/** Creates an organisation with the team `web` and its key `app`. */
async function createOwner(slug: string) {
  const { id: organisationId } = unwrap(
    await createOrganisation(platform, ACTOR, { slug, plan: 'developer' }),
  );
  const path = { organisation: slug, team: 'web', key: 'app' };
  const { id: teamId } = unwrap(await createTeam(platform, ACTOR, path));
  const { id: keyId } = unwrap(await createKey(platform, ACTOR, path, {}));
  return { organisationId, teamId, keyId };
}

let recorded = 0;

/** Records a request, later than those before, and returns its id. */
function record(fields: Partial<RequestEntry>): string {
  const entry = entryWith({ at: platform.now() - 1_000 + recorded++, ...fields });
  log.record(entry);
  return entry.requestId;
}

async function find(path: string): Promise<readonly string[]> {
  const { entries } = await read(path);
  return entries.map(({ requestId }: { readonly requestId: string }) => requestId);
}

async function read(path: string) {
  const answer = await get(path);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

function get(path: string) {
  return app.inject({ method: 'GET', url: `/admin/v1/${path}`, headers: AS_OPERATOR });
}
