import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toConfig } from '../../config/config.ts';
import type { SettingsReportAnswer } from '../../gateway/admin/settings/settings-schema.ts';
import { SETTING_GROUPS } from '../../config/settings/setting-groups.ts';
import { openForEach } from '../../testing/opened.ts';
import { type GivenSettings, SettingsFolder } from '../../testing/settings-folder.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { recordStart } from './record-start.ts';
import { createSettingsReports, type SettingsReportOptions } from './settings-report.ts';

const folder = openForEach(() => new SettingsFolder(), 'remove');

describe('the report of the settings', () => {
  it('says of each setting its value, where it comes from, and what holds where the value does not say it', async () => {
    const { read } = await open({
      flags: { 'rest-port': ['0'] },
      environment: { SLUICE_SEED: 'mine', DATABASE_URL: 'postgres://me:hunter2@h/a' },
      file: { 'slot-ms': 500 },
    });
    const report = await read();
    expect(find(report, 'rest-port')).toMatchObject({
      ...{ value: 0, isSet: true, inForce: '4711', restart: null, group: 'Ports' },
      source: { kind: 'flag', name: '--rest-port' },
    });
    expect(find(report, 'seed').source).toEqual({ kind: 'variable', name: 'SLUICE_SEED' });
    expect(find(report, 'slot-ms').source).toEqual({ kind: 'file', name: configFile() });
    expect(find(report, 'log-days')).toMatchObject({ value: 184, isSet: false, source: DEFAULT });
    expect(find(report, 'database-url')).toMatchObject({ value: null, isSet: true, secret: true });
    expect(find(report, 'admin-credential').inForce).toContain('/data/operator-credential');
    expect(report).toMatchObject({ problems: [], changes: [], file: { state: 'unchanged' } });
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });

  it('reads the file as the next start would', async () => {
    const { read, timers } = await open({
      flags: { seed: ['flag'] },
      file: { 'slot-ms': 500, 'log-days': 9, seed: 'file' },
    });
    folder.write('{"slot-ms": 600, "log-level": "info", "seed": "other"}');
    const changed = (await read()).settings.filter(({ restart }) => restart !== null);
    expect(
      changed.map(({ name, restart }) => [name, restart?.change, restart?.value, restart?.source]),
    ).toEqual([
      ['slot-ms', 'value', 600, { kind: 'file', name: configFile() }],
      ['log-days', 'value', 184, DEFAULT],
      ['log-level', 'source', 'info', { kind: 'file', name: configFile() }],
    ]);
    rmSync(configFile());
    await timers.advance(1_000);
    const gone = await read();
    expect(gone.file).toEqual({ path: configFile(), state: 'gone', writtenAt: null });
    expect(find(gone, 'slot-ms').restart).toMatchObject({ value: 400, source: DEFAULT });
  });

  it('tells of a secret where it comes from, and never whether it is the same', async () => {
    const [one, other] = ['hunter2'.repeat(6), 'hunter3'.repeat(6)];
    const { read, timers } = await open({ file: { 'admin-credential': one } });
    expect(find(await read(), 'admin-credential').restart).toBeNull();
    for (const credential of [one, other]) {
      writeLater({ 'admin-credential': credential });
      await timers.advance(1_000);
      const report = await read();
      expect(find(report, 'admin-credential').restart, credential).toMatchObject({
        change: 'unknown',
        value: null,
      });
      expect(JSON.stringify(report)).not.toContain('hunter');
    }
    writeLater({});
    await timers.advance(1_000);
    expect(find(await read(), 'admin-credential').restart).toMatchObject({
      ...{ change: 'source', value: null, isSet: false, source: DEFAULT },
    });
  });

  it.each([
    ['a syntax error', '{"rest-port": "hunter2', /is not valid JSON/],
    ['a wrong value', '{"rest-port": 99999}', /^rest-port from file .* is 99999, but must be/],
    ['an unknown key', '{"restport": 1}', /"restport" .* is not a setting; did you mean rest-port\?$/],
    ['a contradiction', '{"rpc-poll-ms": 500}', /only together with rpc-url/],
    ['a deep value', `{"seed": ${'['.repeat(50_000)}`, /is refused/],
    ['a large file', `{"seed": "${'a'.repeat(1 << 20)}"}`, /may have at most 1048576/],
  ])('says why a restart would be refused: %s', async (_what, text, sentence) => {
    const { read } = await open({ file: {} });
    folder.write(text);
    const { problems, settings } = await read();
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(problems.join()).not.toContain('hunter');
    expect(settings.every(({ restart }) => restart === null)).toBe(true);
  });

  it('is short, also for a file of nothing but unknown keys', async () => {
    const { read } = await open({ file: {} });
    folder.write(`{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":1`).join()}}`);
    const { problems } = await read();
    expect(problems.length).toBe(21);
    expect(problems[20]).toMatch(/^4980 more keys in file/);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe in place of the file', async () => {
    const { read } = await open({ file: {} });
    rmSync(configFile());
    execFileSync('mkfifo', [configFile()]);
    expect((await read()).problems).toEqual([
      expect.stringMatching(/cannot be read: it is no regular file$/),
    ]);
  });

  it('says which other files were written, which are gone, and which a start could not use', async () => {
    const [country, network] = ['country.mmdb', 'network.mmdb'].map((name) => join(folder.path, name));
    for (const path of [country, network]) writeFileSync(path ?? '', 'a');
    const { read, timers, asked } = await open({
      file: { 'country-database': 'country.mmdb', 'network-database': 'network.mmdb' },
    });
    expect((await read()).changes).toEqual([]);
    writeFileSync(country ?? '', 'longer');
    rmSync(network ?? '');
    folder.write(
      '{"country-database":"country.mmdb","network-database":"network.mmdb","sponsor-keypair":"k"}',
    );
    await timers.advance(1_000);
    expect((await read()).changes).toMatchObject([
      { kind: 'file', subject: 'country-database', text: expect.stringContaining('was written since') },
      { kind: 'file', subject: 'network-database', text: expect.stringContaining('is gone'), at: null },
      { kind: 'fault', subject: 'sponsor-keypair', text: 'it does not exist' },
    ]);
    expect(asked('country-database') && asked('tls-cert') && !asked('gas-keypair')).toBe(true);
    await timers.advance(1_000);
    const again = await read();
    expect(again.changes.at(-1)).toMatchObject({ kind: 'fault', subject: 'sponsor-keypair' });
    // A file that was found to be usable is not read again before it is written again.
    expect(asked('country-database') || !asked('tls-cert')).toBe(false);
    writeFileSync(country ?? '', 'longer still');
    await timers.advance(1_000);
    await read();
    expect(asked('country-database')).toBe(true);
  });

  it('says which programs and accounts a restart would load otherwise, and has them checked', async () => {
    for (const name of ['code.so', 'account.json']) writeFileSync(join(folder.path, name), 'a');
    const { read, timers, asked } = await open({
      flags: { program: [`${MEMO}=code.so`], account: ['account.json'] },
    });
    expect((await read()).changes).toEqual([]);
    expect(asked('program') || asked('account')).toBe(false);
    writeFileSync(join(folder.path, 'code.so'), 'longer');
    await timers.advance(1_000);
    expect((await read()).changes).toMatchObject([
      { kind: 'file', subject: 'program', text: expect.stringContaining('a restart loads it as it is then') },
    ]);
    expect(asked('program') && !asked('account')).toBe(true);
    rmSync(join(folder.path, 'account.json'));
    await timers.advance(1_000);
    expect((await read()).changes.at(-1)).toMatchObject({ kind: 'file', subject: 'account', at: null });
    expect(asked('account')).toBe(true);
  });

  it('says that the program on disk or the tables of the database are others', async () => {
    const { read } = await open(
      {},
      { readVersionOnDisk: async () => '9.9.9', schema: { known: 4, read: async () => 5 } },
    );
    const { version, changes } = await read();
    expect(version.onDisk).toBe('9.9.9');
    expect(changes.map(({ kind }) => kind)).toEqual(['version', 'schema']);
    const lost = await open(
      {},
      { schema: { known: 4, read: () => Promise.reject(new Error('no database')) } },
    );
    expect((await lost.read()).changes).toEqual([]);
  });

  it('is read once for all who ask within a second, and is refused when a disk hangs', async () => {
    let readings = 0;
    let hangs = false;
    const { read, timers } = await open(
      {},
      {
        readVersionOnDisk: () => {
          readings++;
          return hangs ? new Promise(() => {}) : Promise.resolve(null);
        },
      },
    );
    await Promise.all([read(), read(), read()]);
    await read();
    expect(readings).toBe(1);
    timers.advance(-3_600_000);
    await read();
    expect(readings, 'after the clock was set back').toBe(2);
    hangs = true;
    await timers.advance(1_000);
    const first = expect(read()).rejects.toThrow(/within 10 seconds/);
    await expect.poll(() => readings).toBe(3);
    const refused = [first, expect(read()).rejects.toThrow(/10 seconds/)];
    await timers.advance(10_000);
    await Promise.all(refused);
    expect(readings).toBe(3);
  });
});

it('every group of settings has a page of the documentation', () => {
  for (const { docs } of SETTING_GROUPS.values())
    expect(existsSync(new URL(`../../../docs/${docs}.md`, import.meta.url)), docs).toBe(true);
  expect(readFileSync(new URL('../../../docs/operation.md', import.meta.url), 'utf8')).toContain('## Backup');
});

async function open(given: GivenSettings, change: Partial<SettingsReportOptions> = {}) {
  const loaded = folder.load(given);
  const config = toConfig(loaded.settings, folder.path);
  const timers = new ManualTimers();
  let isConcerned = (_setting: string) => false;
  const start = await recordStart(
    config,
    { loaded, cwd: folder.path, readAgain: loaded.readAgain },
    async ({ sponsor }, concerned) => {
      isConcerned = concerned;
      const hasKeypair = sponsor.keypair !== 'own' && sponsor.keypair !== null;
      return hasKeypair && concerned('sponsor-keypair')
        ? [{ name: 'sponsor-keypair', message: 'it does not exist' }]
        : [];
    },
    timers.now(),
  );
  const reports = createSettingsReports({
    start,
    config,
    folderFiles: [],
    getFacts: () => ({
      folder: '/data',
      urls: { ...NO_URLS, rest: 'http://127.0.0.1:4711' },
      hasMasterKey: false,
    }),
    readVersionOnDisk: async () => start.version,
    schema: { known: 4, read: async () => 4 },
    timers,
    ...change,
  });
  return { read: reports.read, timers, asked: (setting: string) => isConcerned(setting) };
}

/** Writes the file with another time, whatever the clock of the file system resolves. */
let writes = 0;
function writeLater(file: object): void {
  folder.write(JSON.stringify(file));
  utimesSync(configFile(), 0, ++writes);
}

const NO_URLS = { rest: null, admin: null, grpc: null, landing: null, metrics: null, rpc: null, ws: null };
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const DEFAULT = { kind: 'default', name: '' };
const configFile = () => join(folder.path, 'sluice.config.json');

function find({ settings }: SettingsReportAnswer, name: string): SettingsReportAnswer['settings'][number] {
  const found = settings.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no setting ${name}`);
  return found;
}
