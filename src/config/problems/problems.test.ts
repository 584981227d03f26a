import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { toEnvironmentName, listVariables } from '../settings/kinds/setting.ts';
import { SETTING_NAMES, SETTINGS } from '../settings/settings.ts';
import { type GivenSettings, SettingsFolder } from '../../testing/settings-folder.ts';
import { openForEach } from '../../testing/opened.ts';

const folder = openForEach(() => new SettingsFolder(), 'remove');

describe('loadSettings with wrong settings', () => {
  it.each<[GivenSettings, RegExp]>([
    [
      { flags: { 'rest-port': ['65536'] } },
      /^rest-port from flag --rest-port is "?65536"?, but must be a whole number from 0 to 65535$/,
    ],
    [
      { flags: { 'rest-port': ['1', '2'] } },
      /^rest-port was given 2 times by flag --rest-port, as \["1","2"\]; give it once$/,
    ],
    [{ file: { 'rest-port': '8787' } }, /^rest-port from file .*sluice\.config\.json is "8787", but must be/],
    [
      { file: { 'rest-prot': 1 } },
      /^the key "rest-prot" in file .* is not a setting; did you mean rest-port\?$/,
    ],
    [{ file: [] }, /must hold a JSON object$/],
    [
      { environment: { SLUICE_EPHEMRAL: 'true' } },
      /^environment variable SLUICE_EPHEMRAL is not a setting; did you mean SLUICE_EPHEMERAL\?$/,
    ],
    [
      { environment: { SLUICE_EPHEMERAL: 'maybe' } },
      /^ephemeral from environment variable SLUICE_EPHEMERAL is "maybe", but must be true or false$/,
    ],
    [{ environment: { SLUICE_PRODUCTION: 'on' } }, /^production from .* is "on", but/],
    [{ file: { clone: 5 } }, /^clone from file .* is 5, but must be a Solana address, any number of times$/],
    [
      { flags: { host: ['example.com'] } },
      /^host from flag --host is "example.com", but must be an IP address or localhost$/,
    ],
    [
      { flags: { program: [`${SOL}=a.so`, 'x=b.so'] } },
      /^program from flag --program is "x=b.so", but must be ADDRESS=FILE.so, any number of times$/,
    ],
    [{ flags: { program: [`${SOL}=`] } }, /^program from/],
    [{ flags: { clone: ['x'] } }, /^clone from flag --clone is "x", but must be a Solana address/],
    [
      { flags: { clone: [SOL] } },
      /^clone from flag --clone is .*, but must be given together with clone-from$/,
    ],
    [
      { flags: { 'country-header': ['cf-ipcountry'] } },
      /^country-header from flag --country-header is "cf-ipcountry", but must be the name of a header, given together with trusted-proxy, /,
    ],
    [
      { flags: { 'rest-port': ['8899'] } },
      /^rest-port from flag --rest-port is 8899, but rpc-port from default is the same port; each needs a port of its own$/,
    ],
  ])('refuses %j', (given, sentence) => {
    expect(problems(given)).toEqual([expect.stringMatching(sentence)]);
  });

  it.each([
    [{ 'database-url': 'mysql://me:hunter2@h/x' }, 'a postgres or postgresql URL'],
    [{ 'key-secret': 'hunter2' }, 'but must be 32 to 200 characters'],
    [{ 'trusted-proxy': ['10.0.0.0/33'] }, 'an IP address, or a network such as 10.0.0.0/8'],
    [{ 'trusted-proxy': ['proxy.example'] }, 'an IP address, or a network such as 10.0.0.0/8'],
    [
      { ephemeral: true, 'database-url': 'postgres://me:hunter2@h/x' },
      'cannot be combined with database-url',
    ],
  ])('refuses %j without showing a secret', (file, allowed) => {
    const [problem, ...others] = problems({ file });
    expect(problem).toContain(allowed);
    expect(problem).not.toContain('hunter2');
    expect(others).toEqual([]);
  });

  it('reports all problems at once, even where another source takes precedence', () => {
    const found = problems({
      file: { seed: 5, bogus: 1 },
      environment: { SLUICE_SEED: 'x'.repeat(101) },
      flags: { seed: ['fine'], 'slot-ms': ['9'] },
    });
    expect(found).toHaveLength(4);
  });

  it('ignores the variables that Kubernetes sets for a service of the same name', () => {
    const environment = {
      SLUICE_SERVICE_HOST: '10.0.0.1',
      SLUICE_SERVICE_PORT: '80',
      SLUICE_SERVICE_PORT_HTTP: '80',
      SLUICE_PORT: 'tcp://10.0.0.1:80',
      SLUICE_PORT_80_TCP: 'tcp://10.0.0.1:80',
      SLUICE_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(problems({ environment })).toEqual([]);
  });

  it('ignores the variables that the examples read, none of which is a setting, so that one shell can run both', () => {
    const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
    const texts = readdirSync(examples, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    const names = new Set(
      texts.flatMap((text) => [...text.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name)),
    );
    const settings = SETTING_NAMES.flatMap((name) => listVariables(name, SETTINGS[name]));
    expect([...names]).toEqual(expect.arrayContaining(['SLUICE_MAKER_KEY', 'SOLANA_RPC_URL']));
    expect([...names].filter((name) => settings.includes(name))).toEqual([]);
    const environment = Object.fromEntries([...names].map((name) => [name, 'x']));
    expect(problems({ environment })).toEqual([]);
    expect(load({ environment }).settings).toEqual(load({}).settings);
  });

  it('does not quote a file that is not JSON, because it may hold a secret', () => {
    folder.write('{"clone-from": http://secret.example}');
    const [problem] = problems({});
    expect(problem).toMatch(/sluice\.config\.json is not valid JSON/);
    expect(problem).not.toContain('secret');
  });

  it('refuses a file that is too large', () => {
    folder.write(' '.repeat((1 << 20) + 1));
    expect(problems({})).toEqual([expect.stringMatching(/has 1048577 bytes, but may have at most 1048576/)]);
  });
});

describe('loadSettings with an address beyond this machine', () => {
  it.each(['host', 'admin-host'])('accepts it for %s only with admin-credential', (name) => {
    for (const host of ['0.0.0.0', '::', '10.0.0.5']) {
      expect(problems({ file: { [name]: host } })).toEqual([
        expect.stringMatching(
          new RegExp(
            `^${name} from file .* is "${host}", but an address beyond this machine requires admin-credential`,
          ),
        ),
      ]);
      expect(problems({ file: { [name]: host, 'admin-credential': 'c'.repeat(32) } })).toEqual([]);
    }
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
      expect(problems({ file: { [name]: host } })).toEqual([]);
  });

  it('accepts it for makers and metrics only with admin-credential', () => {
    const tls = { 'grpc-tls-cert': 'a.pem', 'grpc-tls-key': 'b.pem' };
    for (const given of [{ 'grpc-host': '10.0.0.5', ...tls }, { 'metrics-address': '[::]:9464' }]) {
      expect(problems({ file: given })).toEqual([
        expect.stringContaining('but an address beyond this machine requires admin-credential'),
      ]);
      expect(problems({ file: { ...given, 'admin-credential': 'c'.repeat(32) } })).toEqual([]);
    }
    expect(problems({ file: { 'metrics-address': '127.0.0.1:9464' } })).toEqual([]);
  });

  it('refuses a trusted proxy that is every address or no network', () => {
    const everybody = ['0.0.0.0/0', '::/0', '10.0.0.0/0', '::ffff:0:0/96', '::ffff:10.0.0.1/96'];
    const none = ['10.0.0.0/33', '10.0.0', '::ffff:0:0/1', '::ffff:10.0.0.0/129', 'fe80::1%eth0'];
    for (const network of [...everybody, ...none]) {
      expect(problems({ file: { 'trusted-proxy': [network] } })).toEqual([
        expect.stringContaining('but must be an IP address, or a network such as 10.0.0.0/8'),
      ]);
    }
    const proxies = [
      '10.0.0.0/8',
      '10.0.0.1',
      '2001:db8::/32',
      '::1',
      '::ffff:10.0.0.0/104',
      '::ffff:10.0.0.1',
    ];
    for (const network of proxies) {
      expect(problems({ file: { 'trusted-proxy': [network] } })).toEqual([]);
    }
  });

  it('refuses a short credential without showing it', () => {
    expect(problems({ file: { 'admin-credential': 'short' } })).toEqual([
      expect.stringContaining('a secret that is not shown'),
    ]);
  });
});

describe('loadSettings with random values', () => {
  it('names the setting, the source, the value and what it must be, and hides secrets', () => {
    assertProperty(
      fc.property(anyName, anyText, (name, text) => {
        const { secret, allowed, schema } = SETTINGS[name];
        const isList = 'type' in schema && schema.type === 'array';
        const source = `environment variable ${toEnvironmentName(name)}`;
        for (const problem of problems({ environment: { [toEnvironmentName(name)]: text } })) {
          expect(problem.startsWith(`${name} from ${source} is `)).toBe(true);
          if (secret) expect(problem).toContain('(a secret that is not shown)');
          else if (!isList)
            expect(problem).toContain(
              `is ${/^(-?\d+|true|false)$/.test(text) && problem.includes(`is ${text},`) ? text : JSON.stringify(text)}, but must be ${allowed}`,
            );
          else expect(problem).toMatch(/but must be/);
          if (secret && text.length > 3) expect(problem).not.toContain(text);
        }
      }),
      { cases: 1_000, seed: 7 },
    );
  });

  it('takes a JSON value as it is or refuses it, but never converts it; a text may stand for a list', () => {
    assertProperty(
      fc.property(anyName, fc.jsonValue({ maxDepth: 2 }), (name, value) => {
        const given = { file: { [name]: value } };
        const { schema } = SETTINGS[name];
        const isList = 'type' in schema && schema.type === 'array';
        const taken = isList && typeof value === 'string' ? [value] : value;
        if (problems(given).length === 0) expect(load(given).settings[name]).toEqual(taken);
      }),
      { cases: 1_000, seed: 7 },
    );
  });

  const anyName = fc.constantFrom(...SETTING_NAMES);
  const anyText = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.integer().map(String),
    fc.constantFrom('true', 'false', '', SOL),
  );
});

const SOL = 'So11111111111111111111111111111111111111112';

const load = (given: GivenSettings) => folder.load(given);
const problems = (given: GivenSettings) => folder.problems(given);
