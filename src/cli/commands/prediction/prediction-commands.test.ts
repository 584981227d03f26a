import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAdminServer } from '../../../gateway/admin/server.ts';
import { listen } from '../../../gateway/http/listen.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../../gateway/server/server.ts';
import { listAudit } from '../../../platform/audit/audit-log.ts';
import { OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openForEach } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { openPredictionControls } from '../../../testing/predictions/prediction-controls.ts';
import { runForTest } from '../../../testing/run-cli.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';

/** The clock of the network: 2026-09-21T14:13:20Z. */
const NOW = 1_790_000_000;

let port: string;
let folder: string;
const platform = openForEach(openTestPlatform, 'cleanUp');
const controls = openForEach(() => openPredictionControls(platform, NOW));
const server = openForEach(() =>
  createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: null,
    platform,
    predictions: controls,
    limiter: createInProcessLimiter(),
    production: false,
    credential: OPERATOR_CREDENTIAL,
  }),
);
beforeEach(setUp);
afterEach(tearDown);

describe('sluice prediction event create', () => {
  it('creates an event with one market from flags, and writes it to the audit log', async () => {
    const { code, out } = await sluice(
      ...['create', '--title=Does it rain?', '--category=culture', '--closes=2d', '--id=RAIN'],
      ...['--price=35', '--contracts=12.5', '--tags=weather,rain', '--begins=2026-09-22T14:13:20Z'],
    );
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toMatch(
      /^RAIN +RAIN-1 +Does it rain\? +open +2026-09-23T14:13:20\.000Z +12\.5 at each cent from 35$/,
    );
    const { markets, ...event } = controls.events.findEvent('RAIN') ?? {};
    expect(event).toMatchObject({ tags: ['weather', 'rain'], beginAt: NOW + 86_400 });
    expect(markets).toMatchObject([{ house: { startCents: 35, levelContracts: 12_500_000n }, feeBps: 700 }]);
    const { items } = unwrap(await listAudit(platform, { action: 'prediction_event.created' }));
    expect(items).toMatchObject([{ subject: 'RAIN', actor: 'operator', after: { title: 'Does it rain?' } }]);
  });

  it('creates an event with several markets from a file', async () => {
    const file = await writeEvent({
      eventId: 'CUP',
      title: 'The cup',
      category: 'sports',
      closeAt: NOW + 3_600,
      markets: [
        { title: 'North wins', house: { startCents: 60, contractsPerCent: 0 } },
        { title: 'South wins', closeAt: '30m', feeBps: 500 },
      ],
    });
    const { code, out } = await sluice('create', `--file=${file}`);
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(3);
    expect(controls.events.findEvent('CUP')?.markets).toMatchObject([
      { title: 'North wins', closeAt: NOW + 3_600, house: { levelContracts: 0n } },
      { title: 'South wins', closeAt: NOW + 1_800, feeBps: 500 },
    ]);
  });

  it.each([
    [['--category=sports', '--closes=1d'], '--title is missing'],
    [['--title=A', '--closes=1d'], '--category is missing'],
    [['--title=A', '--category=sports'], '--closes is missing'],
    [['--title=A', '--category=weather', '--closes=1d'], 'flag --category is "weather"'],
    [['--title=A', '--category=sports', '--closes=1d', '--price=x'], 'flag --price is "x"'],
    [
      ['--title=A', '--category=sports', '--closes=1d', '--price=100'],
      'flag --price is "100", but must be a whole number of cents from 1 to 99',
    ],
    [['--title=A', '--category=sports', '--closes=1d', '--price=0'], 'flag --price is "0"'],
    [['--title=A', '--file=event.json'], '--title cannot be given with it'],
  ])('refuses the flags %j', async (flags, message) => {
    const { code, err } = await sluice('create', ...flags);
    expect([code, err.includes(message)], err).toEqual([2, true]);
    expect(controls.events.listEvents()).toEqual([]);
  });

  it.each([
    ['--closes=soon', 'closeAt is \\"soon\\", but must be Unix seconds, a time such as'],
    ['--closes=2026-09-20T00:00:00Z', 'closeAt'],
    ['--id=a b', 'eventId'],
  ])('shows what the instance refuses: %s', async (flag, message) => {
    const usual = ['--title=A', '--category=sports', ...(flag.startsWith('--closes') ? [] : ['--closes=1d'])];
    const { code, err } = await sluice('create', ...usual, flag);
    expect([code, err.includes(message.replaceAll('\\', ''))], err).toEqual([1, true]);
    expect(controls.events.listEvents()).toEqual([]);
  });

  it('refuses contracts in steps below 0.01', async () => {
    const house = { startCents: 50, contractsPerCent: 1.005 };
    const file = await writeEvent({
      title: 'A',
      category: 'tech',
      closeAt: '1d',
      markets: [{ title: 'A', house }],
    });
    const { code, err } = await sluice('create', `--file=${file}`);
    expect([code, err]).toEqual([1, expect.stringContaining('contractsPerCent is 1.005')]);
  });

  it.each([
    ['[1]', 'must hold one JSON object'],
    ['{', 'is no JSON'],
    [null, 'cannot be read'],
  ])('refuses the file %j', async (text, message) => {
    const file = join(folder, 'event.json');
    if (text !== null) await writeFile(file, text);
    const { code, err } = await sluice('create', `--file=${file}`);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe('sluice prediction event resolve', () => {
  it('says which side has won, once', async () => {
    await createRain();
    const { code, out } = await sluice('resolve', 'RAIN-1', 'no');
    expect([code, out]).toEqual([0, expect.stringMatching(/^RAIN +RAIN-1 .* closed: no /m)]);
    const again = await sluice('resolve', 'RAIN-1', 'yes');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('RAIN-1 is resolved as no already')]);
    const { items } = unwrap(await listAudit(platform, { action: 'prediction_market.resolved' }));
    expect(items.map(({ subject }) => subject)).toEqual(['RAIN-1']);
  });

  it('refuses another result than yes and no, and a market that does not exist', async () => {
    const { code, err } = await sluice('resolve', 'RAIN-1', 'maybe');
    expect([code, err]).toEqual([2, 'the result is "maybe", but must be yes or no\n']);
    const missing = await sluice('resolve', 'RAIN-1', 'yes');
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('there is no market RAIN-1')]);
  });
});

describe('sluice prediction event cancel', () => {
  it('cancels all markets of an event, or one', async () => {
    const markets = [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }];
    const file = await writeEvent({
      eventId: 'MANY',
      title: 'Many',
      category: 'tech',
      closeAt: '1d',
      markets,
    });
    await sluice('create', `--file=${file}`);
    await createRain();
    const other = await sluice('cancel', 'MANY', '--market=RAIN-1');
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringContaining('no event "MANY" with a market "RAIN-1"'),
    ]);
    expect((await sluice('cancel', 'MANY', '--market=MANY-2')).code).toBe(0);
    expect(readStatuses('MANY')).toEqual(['open', 'cancelled', 'open']);
    expect((await sluice('cancel', 'MANY')).code).toBe(0);
    expect(readStatuses('MANY')).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(readStatuses('RAIN')).toEqual(['open']);
    expect((await sluice('cancel', 'MANY')).err).toContain(
      'all markets of event MANY are resolved or cancelled',
    );
    const listed = (await sluice('list')).out.trim().split('\n');
    expect(listed).toHaveLength(5);
  });
});

describe('sluice prediction score', () => {
  it('says how a game stands, and keeps what it does not name', async () => {
    await createRain();
    const first = await sluiceScore('RAIN', '--home=North', '--away=South', '--score=0-1', '--state=live');
    expect([first.code, first.out]).toEqual([
      0,
      expect.stringMatching(/^RAIN +North +South +0-1 +live +2026-09-21T14:13:20\.000Z$/m),
    ]);
    await sluiceScore('RAIN', '--score=1-1', '--period=2H', '--away=-');
    expect((await sluiceScore('RAIN', '--state=ended')).code).toBe(0);
    expect(controls.events.findEvent('RAIN')?.score).toEqual({
      gameId: 'RAIN',
      leagueAbbreviation: null,
      homeTeam: 'North',
      awayTeam: null,
      score: '1-1',
      period: '2H',
      elapsed: null,
      status: null,
      state: 'ended',
      finishedAt: NOW,
      updatedAt: NOW,
      version: 3,
    });
    const { items } = unwrap(await listAudit(platform, { action: 'prediction_event.scored' }));
    expect(items.map(({ subject, before, after }) => [subject, before, after])).toMatchObject([
      ['RAIN', { state: 'live' }, { state: 'ended' }],
      ['RAIN', { score: '0-1' }, { score: '1-1' }],
      ['RAIN', null, { score: '0-1' }],
    ]);
  });

  it('refuses a score without anything in it, a state that there is not, and an event that does not exist', async () => {
    const empty = await sluiceScore('RAIN');
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('--score')]);
    const state = await sluiceScore('RAIN', '--state=paused');
    expect([state.code, state.err]).toEqual([2, expect.stringContaining('flag --state is "paused"')]);
    const missing = await sluiceScore('RAIN', '--score=1-0');
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('there is no event RAIN')]);
  });
});

async function setUp(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'sluice-prediction-'));
  port = new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: 'admin-port' })).port;
}

async function tearDown(): Promise<void> {
  await closeServer(server);
  await rm(folder, { recursive: true });
}

async function writeEvent(event: object): Promise<string> {
  const file = join(folder, 'event.json');
  await writeFile(file, JSON.stringify(event));
  return file;
}

async function createRain(): Promise<void> {
  const flags = ['--title=Does it rain?', '--category=culture', '--closes=2d', '--id=RAIN'];
  expect((await sluice('create', ...flags)).code).toBe(0);
}

function readStatuses(eventId: string): readonly string[] | undefined {
  return controls.events.findEvent(eventId)?.markets.map(({ status }) => status);
}

function sluice(...args: string[]) {
  return runPrediction('event', ...args);
}

function sluiceScore(...args: string[]) {
  return runPrediction('score', ...args);
}

function runPrediction(...args: string[]) {
  const flags = [`--admin-port=${port}`, `--admin-credential=${OPERATOR_CREDENTIAL}`];
  return runForTest(['prediction', ...args, ...flags]);
}
