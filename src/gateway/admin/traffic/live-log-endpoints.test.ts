import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { acceptInvitation, invite } from '../../../platform/accounts/invitations.ts';
import { removeMember } from '../../../platform/accounts/members.ts';
import { createOrganisation } from '../../../platform/accounts/organisations.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import { entryWith, openTestTraffic } from '../../../testing/platform/traffic.ts';
import { openTestLog } from '../../../testing/store/test-store.ts';
import { listen } from '../../http/listen.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { createAdminServer } from '../server.ts';
import type { LiveLogLine } from './traffic-schema.ts';
import { yieldToOtherWork } from '../../../testing/waits.ts';
import { openForEach } from '../../../testing/opened.ts';

let app: FastifyInstance;
let log: TrafficLog;
let url: string;
let organisationId: string;
const platform = openForEach(openTestPlatform);
beforeEach(setUp);
afterEach(tearDown);

describe('the log that is followed', () => {
  it('shows requests as they are recorded, by filter', async () => {
    const all = await follow('log/live');
    expect(all.answer.headers.get('content-type')).toBe('application/x-ndjson');
    const errors = await follow('log/live?status=4xx&path=/price');
    const own = await follow('organisations/acme/log/live');
    const entries = [
      entryWith(),
      ofOrganisation(),
      entryWith({ status: 404, path: '/price/v3', owner: null, decision: 'admitted' }),
    ];
    for (const entry of entries) log.record(entry);
    const ids = entries.map(({ requestId }) => requestId);
    expect(await read(all.lines, 3)).toEqual({ seen: ids, missed: 0 });
    expect(await read(own.lines, 1)).toEqual({ seen: [ids[1]], missed: 0 });
    expect(await read(errors.lines, 1)).toEqual({ seen: [ids[2]], missed: 0 });
  });

  it('shows requests that the log drops, because too many were refused', async () => {
    const { lines } = await follow('log/live?decision=unauthorised');
    for (let count = 0; count < 300; count++)
      log.record(entryWith({ decision: 'unauthorised', owner: null }));
    expect(log.dropped).toBe(200);
    expect(await read(lines, 300)).toMatchObject({ missed: 0 });
  });

  it('keeps little for a client that reads nothing, and tells it what it missed', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    closes.push(async () => socket.destroy());
    socket.write(
      `GET /admin/v1/log/live HTTP/1.0\r\nhost: ${hostname}\r\nauthorization: ${AS_OPERATOR.authorization}\r\n\r\n`,
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await expect.poll(() => text).toContain('"ended":null}');
    socket.pause();
    const other = await follow('log/live?status=418');
    // Far more than the buffers of two sockets hold.
    const userAgent = 'x'.repeat(2_000);
    const count = 60_000;
    for (let index = 0; index < count; index++) {
      log.live.publish(entryWith({ userAgent }));
      if (index % 1_000 === 999) await yieldToOtherWork();
    }
    log.live.publish(entryWith({ status: 418 }));
    // Nobody else is held up.
    expect(await read(other.lines, 1)).toMatchObject({ missed: 0 });
    socket.resume();
    const missedIn = () =>
      [...text.matchAll(/"missed":(\d+)/g)].reduce((sum, [, one]) => sum + Number(one), 0);
    const shownIn = () => [...text.matchAll(/"requestId"/g)].length;
    await expect.poll(() => missedIn() + shownIn()).toBe(count + 1);
    expect(shownIn()).toBeLessThan(count / 2);
  });

  it('frees the place of a client that leaves', async () => {
    const opened = [];
    for (let index = 0; index < 4; index++) opened.push(await follow('log/live'));
    const refused = await follow('log/live');
    expect(refused.answer.status).toBe(503);
    expect(await refused.answer.json()).toMatchObject({
      message: 'Too many clients follow the log; end one, or try again later',
    });
    opened[0]?.leave();
    await expect.poll(async () => (await follow('log/live')).answer.status).toBe(200);
  });

  it('ends for a member who was removed', async () => {
    const token = await memberOf('acme', 'ann');
    const headers = { authorization: `Bearer ${token}` };
    const { lines } = await follow('organisations/acme/log/live', headers);
    log.record(ofOrganisation());
    await read(lines, 1);
    unwrap(await removeMember(platform, ACTOR, OPERATOR, { organisation: 'acme', member: 'ann' }));
    log.record(ofOrganisation());
    expect(await endOf(lines)).toBe('the session, or the rights of the member, cannot be confirmed any more');
  });

  it('ends when the instance stops', async () => {
    const { lines } = await follow('log/live');
    const closed = closeServer(app, 60_000);
    expect(await endOf(lines)).toBe('the instance stops');
    await closed;
  });

  it.each([
    ['log/live?status=9', AS_OPERATOR, 400],
    ['log/live?stauts=404', AS_OPERATOR, 400],
    ['log/live?limit=1', AS_OPERATOR, 400],
    ['organisations/none/log/live', AS_OPERATOR, 404],
    ['organisations/acme/log/live?key=ci', AS_OPERATOR, 400],
    ['log/live', {}, 401],
  ])('refuses %s', async (path, headers, status) => {
    expect((await follow(path, headers as Record<string, string>)).answer.status).toBe(status);
  });
});

const ACTOR = { who: 'test', from: 'here' };
const OPERATOR = { standing: 'operator', memberId: null } as const;

const closes: (() => Promise<unknown>)[] = [];

async function setUp(): Promise<void> {
  closes.push(platform.cleanUp);
  const database = await openTestLog('sqlite');
  closes.push(database.cleanUp);
  log = await openTestTraffic(database.log);
  ({ id: organisationId } = unwrap(
    await createOrganisation(platform, ACTOR, { slug: 'acme', plan: 'developer' }),
  ));
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
  closes.push(() => closeServer(app));
  url = `${await listen(app, { host: '127.0.0.1', port: 0, setting: 'admin-port' })}/admin/v1`;
}

async function tearDown(): Promise<void> {
  for (const close of closes.splice(0).reverse()) await close();
}

const ofOrganisation = () => entryWith({ owner: { organisationId, teamId: 't', keyId: 'k' } });

async function memberOf(organisation: string, name: string): Promise<string> {
  const invitation = { organisation, name, role: 'member' as const };
  const { token } = unwrap(await invite(platform, ACTOR, OPERATOR, invitation));
  return unwrap(await acceptInvitation(platform, 'test', token)).token;
}

/** Follows the log, and resolves when the first line says so. */
async function follow(path: string, headers: Record<string, string> = AS_OPERATOR) {
  const controller = new AbortController();
  closes.push(async () => controller.abort());
  const answer = await fetch(`${url}/${path}`, { headers, signal: controller.signal });
  const lines = linesOf(answer);
  if (answer.status === 200) await lines.next();
  return { answer, lines, leave: () => controller.abort() };
}

async function* linesOf({ body }: Response): AsyncGenerator<Static<typeof LiveLogLine>> {
  let rest = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    rest += Buffer.from(chunk).toString();
    const complete = rest.split('\n');
    rest = complete.pop() ?? '';
    for (const line of complete) yield JSON.parse(line);
  }
}

/** Reads until `count` entries were shown or missed. */
async function read(lines: AsyncGenerator<Static<typeof LiveLogLine>>, count: number) {
  const seen: string[] = [];
  let missed = 0;
  while (seen.length + missed < count) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the log ended after ${seen.length} entries`);
    seen.push(...value.entries.map(({ requestId }) => requestId));
    missed += value.missed;
  }
  return { seen, missed };
}

/** Reads on to the last line, which has no entries, as all lines before it. */
async function endOf(lines: AsyncGenerator<Static<typeof LiveLogLine>>): Promise<string | null> {
  let ended = null;
  for await (const line of lines) {
    expect(line).toMatchObject({ entries: [], missed: 0 });
    ({ ended } = line);
  }
  return ended;
}
