import { describe, expect, it } from 'vitest';
import { copySettings } from './setting-copies.ts';
import { readSettings, type SettingView } from './setting-shape.ts';
import { describeSettingSource, filterSettings, formatSettingValue } from './setting-text.ts';

describe('filterSettings', () => {
  const settings = [
    create({ name: 'rest-port', flag: '--rest-port', group: 'Ports', source: FLAG }),
    create({ name: 'seed', value: 'tulip', description: 'Where keys come from.', group: 'Network' }),
    create({ name: 'rpc-url', secret: true, value: null, isSet: true, group: 'Network', source: VARIABLE }),
  ];
  const names = (change: object) =>
    filterSettings(settings, { text: '', choice: 'all', group: '', ...change }).map(({ name }) => name);

  it('finds every word in the name, the description, the value or the source', () => {
    expect(names({ text: 'PORT rest' })).toEqual(['rest-port']);
    expect(names({ text: 'keys' })).toEqual(['seed']);
    expect(names({ text: 'tulip' })).toEqual(['seed']);
    expect(names({ text: 'SLUICE_RPC' })).toEqual(['rpc-url']);
    expect(names({ text: 'port tulip' })).toEqual([]);
    expect(names({ choice: 'changed' })).toEqual(['rest-port', 'rpc-url']);
    expect(names({ choice: 'changed', group: 'Network' })).toEqual(['rpc-url']);
  });
});

describe('formatSettingValue', () => {
  it.each([
    ['', 'none'],
    [[], 'none'],
    [false, 'false'],
    [0, '0'],
    [['a', 'b'], 'a\nb'],
    ['a\u202eb', 'a\\u202eb'],
  ])('shows %j as %j', (value, text) => {
    expect(formatSettingValue(value, { isSet: true })).toBe(text);
  });

  it('says of a secret whether there is one', () => {
    expect(formatSettingValue(null, { isSet: true })).toBe('a secret that is not shown');
    expect(formatSettingValue(null, { isSet: false })).toBe('none');
    expect(describeSettingSource({ kind: 'file', name: '/a\u202e.json' })).toBe('file /a\\u202e.json');
  });
});

describe('copySettings', () => {
  it('writes what was given as a file and as flags that a shell takes as they are, without secrets', () => {
    const { file, flags, secrets } = copySettings([
      create({ name: 'rest-port', flag: '--rest-port', value: 0, source: FLAG }),
      create({ name: 'seed', flag: '--seed', value: "it's $(rm) mine", source: FLAG }),
      create({ name: 'portal', flag: '--portal', value: false, source: FLAG }),
      create({ name: 'account', flag: '--account', value: ['-a', 'b c'], source: FLAG }),
      create({ name: 'rpc-url', flag: '--rpc-url', value: null, secret: true, source: FLAG }),
      create({ name: 'log-days', flag: '--log-days', value: 184 }),
    ]);
    expect(JSON.parse(file)).toEqual({
      'rest-port': 0,
      seed: "it's $(rm) mine",
      portal: false,
      account: ['-a', 'b c'],
    });
    expect(flags.split(' \\\n  ')).toEqual([
      'sluice start',
      '--rest-port=0',
      "--seed='it'\\''s $(rm) mine'",
      '--no-portal',
      '--account=-a',
      "--account='b c'",
    ]);
    expect(secrets).toEqual(['rpc-url']);
  });
});

it('readSettings refuses an answer whose values are no values of settings', () => {
  const answer = (value: unknown) => ({
    ...{ startedAt: 0, readAt: 0, problems: [], changes: [] },
    version: { running: '1', onDisk: null },
    file: { path: '/a', state: 'absent', writtenAt: null },
    settings: [{ ...create({}), value }],
  });
  expect(readSettings(answer(['a'])).settings[0]?.value).toEqual(['a']);
  for (const value of [{}, [1], undefined]) expect(() => readSettings(answer(value))).toThrow();
});

const FLAG = { kind: 'flag', name: '--given' };
const VARIABLE = { kind: 'variable', name: 'SLUICE_RPC_URL' };

function create(change: Partial<SettingView>): SettingView {
  return {
    ...{ name: 'name', group: 'Group', docs: 'operation', description: '', allowed: '', kind: 'text' },
    ...{ flag: '--name', variables: [], secret: false, value: '', isSet: false, default: '' },
    ...{ source: { kind: 'default', name: '' }, inForce: null, restart: null },
    ...change,
  };
}
