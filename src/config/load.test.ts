import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toConfig } from './config.ts';
import { loadSettings } from './load.ts';
import { getDefault, toEnvironmentName, listVariables } from './settings/kinds/setting.ts';
import type { Setting } from './settings/kinds/setting.ts';
import { SETTING_NAMES, SETTINGS } from './settings/settings.ts';
import { type GivenSettings, SettingsFolder } from '../testing/settings-folder.ts';
import { openForEach } from '../testing/opened.ts';

const folder = openForEach(() => new SettingsFolder(), 'remove');

describe('loadSettings', () => {
  it('takes flags before the environment, the environment before the file, and the file before defaults', () => {
    const file = { 'rest-port': 1, 'rpc-port': 2, 'ws-port': 3 };
    const environment = { SLUICE_REST_PORT: '11', SLUICE_RPC_PORT: '12' };
    const { settings, sources } = load({ file, environment, flags: { 'rest-port': ['21'] } });
    expect([
      settings['rest-port'],
      settings['rpc-port'],
      settings['ws-port'],
      settings['admin-port'],
    ]).toEqual([21, 12, 3, 8788]);
    expect([sources['rest-port'], sources['rpc-port'], sources['ws-port'], sources['admin-port']]).toEqual([
      'flag --rest-port',
      'environment variable SLUICE_RPC_PORT',
      `file ${join(folder.path, 'sluice.config.json')}`,
      'default',
    ]);
  });

  it('reads DATABASE_URL if SLUICE_DATABASE_URL is not set', () => {
    const own = 'postgres://own.example/a';
    const common = { DATABASE_URL: 'postgresql://common.example/b' };
    const from = (environment: Record<string, string>) => {
      const { settings, sources } = load({ environment });
      return [settings['database-url'], sources['database-url']];
    };
    expect(from(common)).toEqual([common.DATABASE_URL, 'environment variable DATABASE_URL']);
    expect(from({ ...common, SLUICE_DATABASE_URL: own })).toEqual([
      own,
      'environment variable SLUICE_DATABASE_URL',
    ]);
  });

  it('returns the documented defaults when nothing is given', () => {
    const { settings } = load({});
    for (const name of SETTING_NAMES)
      expect(settings[name], name).toEqual(getDefault(SETTINGS[name] as Setting));
  });

  it('accepts every default as a value', () => {
    for (const name of SETTING_NAMES) {
      const value = getDefault(SETTINGS[name] as Setting);
      expect(
        problems({
          file: { [name]: value, 'rest-port': 1, ...(name === 'rest-port' ? { [name]: value } : {}) },
        }),
        name,
      ).toEqual([]);
    }
  });

  it('reads lists from repeated flags, from text with commas and from JSON', () => {
    expect(load({ flags: { account: ['a.json', 'b,c.json'] } }).settings.account).toEqual([
      'a.json',
      'b,c.json',
    ]);
    expect(load({ environment: { SLUICE_ACCOUNT: 'a.json,b.json' } }).settings.account).toEqual([
      'a.json',
      'b.json',
    ]);
    expect(load({ file: { account: ['a.json'] } }).settings.account).toEqual(['a.json']);
    expect(load({ environment: { SLUICE_ACCOUNT: ' a.json , b.json,\n' } }).settings.account).toEqual([
      'a.json',
      'b.json',
    ]);
  });

  it('takes a text in the file for a list of one, whichever setting is a list', () => {
    expect(load({ file: { 'trusted-proxy': '127.0.0.1' } }).settings['trusted-proxy']).toEqual(['127.0.0.1']);
    for (const name of SETTING_NAMES) {
      const { schema } = SETTINGS[name] as Setting;
      const [element] = 'type' in schema && schema.type === 'array' ? [''] : [];
      if (element === undefined) continue;
      expect(problems({ file: { [name]: 'x' } }), name).toEqual(problems({ file: { [name]: ['x'] } }));
    }
  });

  it('counts a variable that is empty as not set, whichever it is', () => {
    for (const name of SETTING_NAMES) {
      const empty = Object.fromEntries(
        listVariables(name, SETTINGS[name] as Setting).map((each) => [each, ' ']),
      );
      expect(load({ environment: empty }).sources[name], name).toBe('default');
    }
    const own = { SLUICE_DATABASE_URL: '', DATABASE_URL: 'postgres://own.example/a' };
    expect(load({ environment: own }).sources['database-url']).toBe('environment variable DATABASE_URL');
    expect(load({ environment: { SLUICE_ACCOUNT: '' }, file: { account: ['a'] } }).settings.account).toEqual([
      'a',
    ]);
    expect(load({ environment: { SLUICE_CONFIG: '', SLUICE_UNKNOWN: '' } }).settings.seed).toBe('sluice');
  });

  it.each([
    [['true', 'TRUE', 'True', '1', 'yes', 'YES', ' true\n'], true],
    [['false', 'FALSE', '0', 'no', 'No'], false],
  ])('reads %j as %s, in the environment and from a flag', (texts, value) => {
    for (const text of texts) {
      for (const name of ['production', 'ephemeral', 'liquidator'] as const) {
        const variable = toEnvironmentName(name);
        expect(load({ environment: { [variable]: text } }).settings[name], text).toBe(value);
        expect(load({ flags: { [name]: [text] } }).settings[name], text).toBe(value);
      }
    }
    expect(load({ environment: { SLUICE_REST_PORT: '11\r' } }).settings['rest-port']).toBe(11);
  });

  it('reads a file that begins with a byte order mark, and refuses one with a key twice', () => {
    folder.write('\ufeff{"seed":"marked"}');
    expect(load({}).settings.seed).toBe('marked');
    folder.write('{"seed":"a","production":false,"s\\u0065ed":"b"}');
    expect(problems({})).toEqual([
      `file ${join(folder.path, 'sluice.config.json')} has the key "seed" twice; give it once`,
    ]);
  });

  it('reads the named file, and says when it does not exist', () => {
    const named = join(folder.path, 'other.json');
    writeFileSync(named, '{"seed":"named"}');
    const inputs = { flags: new Map(), environment: {}, cwd: folder.path };
    expect(loadSettings({ ...inputs, file: 'other.json' }).settings.seed).toBe('named');
    expect(loadSettings({ ...inputs, file: null, environment: { SLUICE_CONFIG: named } }).settings.seed).toBe(
      'named',
    );
    expect(() => loadSettings({ ...inputs, file: 'missing.json' })).toThrow(/missing\.json cannot be read/);
  });
});

describe('loadSettings with sentinels', () => {
  const SENTINEL = 'valkey://:hunter2@10.0.0.1:26379';

  it('takes their URLs, and the name of the master as the host of valkey-url', () => {
    const file = {
      'valkey-url': 'valkeys://sluice:hunter3@the.master/1',
      'valkey-sentinel': [SENTINEL, SENTINEL],
    };
    expect(toConfig(load({ file }).settings, folder.path).valkeySentinels).toEqual([SENTINEL, SENTINEL]);
  });

  it.each([
    [
      { 'valkey-sentinel': SENTINEL },
      /^valkey-sentinel from .*given together with valkey-url, whose host is/,
    ],
    [
      { 'valkey-url': 'valkey://:hunter2@master:6379', 'valkey-sentinel': SENTINEL },
      /^valkey-url from .* has the port 6379, but with valkey-sentinel .*no port: valkey:\/\/mymaster$/,
    ],
    [
      { 'valkey-url': 'valkey:///hunter2', 'valkey-sentinel': SENTINEL },
      /^valkey-url from .* has no host, but with valkey-sentinel/,
    ],
    [
      {
        'valkey-url': 'valkey://master',
        'valkey-sentinel': [SENTINEL, 'valkey://:hunter2@10.0.0.2', 'valkey://h'],
      },
      /^valkey-sentinel from .* names sentinels with different schemes, users or passwords, but all must have the same$/,
    ],
    [
      { 'valkey-url': 'valkey://master', 'valkey-sentinel': 'valkey://:hunter2@h:1/master' },
      /^valkey-sentinel from .* must be a valkey, valkeys, redis or rediss URL with a host and without a path, any/,
    ],
    [
      { 'valkey-url': 'valkey://master', 'valkey-sentinel': 'hunter2:26379' },
      /^valkey-sentinel from .* must be a/,
    ],
  ])('refuse %j', (file, sentence) => {
    const found = problems({ file });
    expect(found).toEqual([expect.stringMatching(sentence)]);
    expect(found.join()).not.toContain('hunter');
  });
});

describe('loadSettings and toConfig with an outside RPC', () => {
  it('derives the URL of the WebSocket unless it is given', () => {
    const beside = (url: string) => outside({ 'rpc-url': url })?.wsUrl.href;
    expect(outside({})).toBeNull();
    expect(beside('http://127.0.0.1:8899')).toBe('ws://127.0.0.1:8900/');
    expect(beside('https://rpc.example/key?a=b')).toBe('wss://rpc.example/key?a=b');
    const given = { 'rpc-url': 'https://rpc.example', 'rpc-ws-url': 'wss://ws.example/key' };
    expect(outside(given)?.wsUrl.href).toBe('wss://ws.example/key');
    expect(outside({ ...given, 'rpc-pool': [SOL, 'pools.txt'] })?.pools).toEqual([
      SOL,
      join(folder.path, 'pools.txt'),
    ]);
  });

  it.each([
    [
      { 'rpc-url': 'https://me:hunter2@rpc.example' },
      /^rpc-url .* must be an http or https URL without user/,
    ],
    [{ 'rpc-url': 'ws://rpc.example' }, /^rpc-url .* must be an http or https URL/],
    [{ 'rpc-ws-url': 'ws://hunter2.example' }, /^rpc-ws-url .*\(a secret .*only together with rpc-url$/],
    [{ 'rpc-poll-ms': 500 }, /^rpc-poll-ms from .* is 500, .*only together with rpc-url$/],
    [{ 'rpc-pool': [SOL] }, /^rpc-pool from .*only together with rpc-url$/],
    [{ 'rpc-url': 'http://h', 'slot-ms': 50 }, /^slot-ms from .* is 50, .*only without rpc-url$/],
    [
      { 'rpc-url': 'http://h', 'rpc-stale-ms': 1_500 },
      /^rpc-stale-ms .* must be at least twice rpc-poll-ms, which is 1000/,
    ],
  ])('refuse %j', (file, sentence) => {
    const found = problems({ file });
    expect(found).toEqual([expect.stringMatching(sentence)]);
    expect(found.join()).not.toContain('hunter2');
  });

  const outside = (file: Record<string, unknown>) => toConfig(load({ file }).settings, folder.path).outside;
});

const SOL = 'So11111111111111111111111111111111111111112';

const load = (given: GivenSettings) => folder.load(given);
const problems = (given: GivenSettings) => folder.problems(given);
