import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { custodyKeys } from '../../src/custody/keys/custody-tables.ts';
import { MasterKey } from '../../src/custody/keys/master-key.ts';
import { openSeed, type SealedKey } from '../../src/custody/keys/sealed-keys.ts';
import { encodeBase58 } from '../../src/solana/encoding/base58.ts';
import { createKeypairFromSeed, signWith } from '../../src/solana/keypair.ts';
import { TEST_VALKEY_URL } from '../../src/testing/store/test-valkey.ts';
import { createTestDatabase, openMigratedStore } from '../../src/testing/store/test-store.ts';
import { type DeploymentKind, TESTED_DEPLOYMENTS } from './deployment.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { databaseText, valkeyText } from './stored-text.ts';

let folder: string;
let instance: Instance;
let banner: string;
/** Everything that the instance answered, but for the answers that are there to show a secret. */
let answers = '';
let servers: Servers | null;

// Instances tell each other things through those servers alone, so that two of them have no further place to look into.
const TESTED_STORES = TESTED_DEPLOYMENTS.filter((kind) => kind !== 'two instances');

describe.each(TESTED_STORES)('on %s', (kind) => {
  beforeAll(() => open(kind));
  afterAll(close);

  it('no secret is in logs, answers, metrics, the data folder or what a crash leaves behind', async () => {
    const rest = bannerValue(banner, 'REST');
    const demo = bannerValue(banner, 'API key');
    const key = await made('key', `${O}/teams/demo/keys`, { name: 'secret' });
    const invitation = await made('token', `${O}/invitations`, { name: 'ann', role: 'owner' });
    const member = await made('token', '/admin/v1/invitations/accept', { token: invitation });
    const pending = await made('token', `${O}/invitations`, { name: 'ben', role: 'admin' });
    const unknown = `jup_${'5'.repeat(64)}`;
    const jwt = await signedIn(rest);
    const vault = await ask(`${rest}/trigger/v2/vault/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}` },
    });
    expect(vault).toContain('vaultPubkey');
    answers += vault;
    const secrets = {
      CREDENTIAL,
      KEY_SECRET,
      CUSTODY_KEY,
      demo,
      key,
      invitation,
      member,
      pending,
      unknown,
      jwt,
    };

    for (const secret of Object.values(secrets)) {
      const headers = { 'x-api-key': secret, authorization: `Bearer ${secret}`, cookie: `key=${secret}` };
      const json = { ...headers, 'content-type': 'application/json' };
      for (const [path, init] of [
        ['/healthz', { headers }],
        ['/swap/v2/program-id-to-label', { headers }],
        ['/swap/v2/build?amount=none', { headers }],
        ['/trigger/v2/vault', { headers }],
        ['/trigger/v2/orders/history?limit=none', { headers }],
        ['/swap/v2/build', { method: 'POST', headers: json, body: '{' }],
        ['/swap/v2/execute', { method: 'POST', headers: json, body: '{"requestId":1}' }],
        ['/nowhere', { headers }],
        // What the operator chose looks like any other path.
        ...(/[0-9a-f]{64}$|^eyJ/.test(secret) ? [[`/nowhere/${secret}`, { headers }] as const] : []),
        ['/readyz', { method: 'DELETE', headers }],
      ] as const) {
        answers += await ask(`${rest}${path}`, init);
      }
      answers += await askAdmin('POST', '/admin/v1/nowhere', {}).catch(String);
      await sendBytes(
        `GET /healthz HTTP/1.1\r\nhost: a\r\nx-api-key: ${secret}\r\nx-api-key: ${secret}\r\n\r\n`,
      );
      await sendBytes(`GET /healthz HTTP/1.1\r\nx-api-key : ${secret}\r\n\r\n`);
      await sendBytes(`GET /healthz?key=${secret} HTTP/1.1\r\nhost: a\r\n\r\n`);
    }
    for (const path of [O, `${O}/teams/demo/keys`, `${O}/members`, `${O}/invitations`, `${O}/audit`]) {
      answers += await askAdmin('GET', path);
    }
    for (const path of ['/admin/v1/audit', '/admin/v1/me', '/metrics', '/docs', '/openapi.json', '/readyz']) {
      answers += await askAdmin('GET', path);
    }
    instance.kill('SIGUSR2');
    await reported(1);
    const underWay = await Promise.all(
      Object.values(secrets).flatMap((secret) => [
        begin(`GET /healthz HTTP/1.1\r\nhost: a\r\nx-api-key: ${secret}\r\n`),
        begin(
          `POST /swap/v2/execute HTTP/1.1\r\nhost: a\r\nx-api-key: ${demo}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"requestId":"${secret}`,
        ),
      ]),
    );
    instance.kill('SIGHUP');
    const ended = await instance.ended();
    expect(ended.code).not.toBe(0);
    // The banner is what shows the demo key.
    expect(ended.out).toContain(banner);
    const out = ended.out.replace(banner, '') + ended.error;
    expect(out).toContain('crashed for the test');
    await reported(2);
    for (const report of reports()) expect(report).toContain('"environmentVariables"');
    for (const socket of underWay) socket.destroy();
    // The files whose purpose is to keep a secret, readable by their owner alone.
    const kept = ['demo-api-key', 'demo-wallet.json'];
    const files = readdirSync(join(folder, 'data'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !kept.includes(entry.name))
      .map(
        (entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name)).toString('latin1')] as const,
      );
    if (kind === 'embedded stores') {
      expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(['sluice.db', 'request-log.db']));
    }
    expect(out).toContain('"msg":"answered"');
    const places = [
      ['log', out],
      ['answers', answers],
      ...reports().map((text) => ['report', text] as const),
      ...files,
      ...(await inServers()),
    ] as const;
    Object.assign(secrets, await vaultKeyTexts());
    for (const [place, text] of places) {
      for (const [name, secret] of Object.entries(secrets)) {
        // What follows a prefix is the secret part, and would give it away too.
        const part = secret.slice(-32);
        expect(text.includes(part), `${name} in ${place}`).toBe(false);
      }
    }
  });
});

const CREDENTIAL = 'operator-credential-of-the-secrets-test';
const KEY_SECRET = 'key-secret-of-the-secrets-test-0123456789';
const CUSTODY_KEY = '0123456789abcdef'.repeat(4);
const O = '/admin/v1/organisations/demo';

/** A defect that nobody catches, when it is asked for. */
const CRASH = `import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('SIGHUP', () => setImmediate(() => { throw new Error('crashed for the test'); }));`;

/** The servers that it keeps things in; null: its own files. */
interface Servers {
  readonly database: Awaited<ReturnType<typeof createTestDatabase>>;
  readonly valkeyUrl: string;
}

async function open(kind: DeploymentKind): Promise<void> {
  answers = '';
  servers =
    kind === 'embedded stores'
      ? null
      : { database: await createTestDatabase(), valkeyUrl: TEST_VALKEY_URL ?? '' };
  folder = mkdtempSync(join(tmpdir(), 'sluice-secrets-'));
  const crash = join(folder, 'crash.mjs');
  writeFileSync(crash, CRASH);
  instance = startOwnInstance({
    reason: 'crashes',
    flags: ['--data-dir=data', '--log-level=trace', ...FREE_PORTS],
    folder,
    environment: {
      SLUICE_ADMIN_CREDENTIAL: CREDENTIAL,
      SLUICE_KEY_SECRET: KEY_SECRET,
      SLUICE_CUSTODY_KEY: CUSTODY_KEY,
      ...(servers === null
        ? {}
        : { SLUICE_DATABASE_URL: servers.database.url, SLUICE_VALKEY_URL: servers.valkeyUrl }),
      NODE_OPTIONS: [
        ...['--report-on-signal', '--report-uncaught-exception', `--report-directory=${folder}`],
        `--import=${pathToFileURL(crash)}`,
      ].join(' '),
    },
  });
  banner = await instance.ready();
}

async function close(): Promise<void> {
  await instance?.stop();
  await servers?.database.drop();
  rmSync(folder, { recursive: true, force: true });
}

/** What it keeps in servers, by their names. */
async function inServers(): Promise<readonly (readonly [string, string])[]> {
  if (servers === null) return [];
  const [database, valkey] = [
    await databaseText(servers.database.url),
    await valkeyText(servers.valkeyUrl, KEY_SECRET),
  ];
  expect(database).toContain('api_keys');
  expect(valkey).toContain('sluice:');
  return [
    ['PostgreSQL', database],
    ['Valkey', valkey],
  ];
}

/** The key of the vault that was registered, in the forms in which keys are written. */
async function vaultKeyTexts(): Promise<Readonly<Record<string, string>>> {
  const url = servers === null ? null : servers.database.url;
  const store = await openMigratedStore({ url, folder: join(folder, 'data') });
  const current = new MasterKey(Buffer.from(CUSTODY_KEY, 'hex'));
  const row = (await store.db.select().from(custodyKeys)).find(({ purpose }) => purpose === 'vault');
  await store.close();
  if (row === undefined) throw new Error('no vault was registered');
  return openSeed({ current, previous: null }, row as unknown as SealedKey, (seed) => ({
    vaultBytes: Buffer.from(seed).toString('latin1'),
    vaultHex: Buffer.from(seed).toString('hex'),
    vaultBase64: Buffer.from(seed).toString('base64').slice(0, 40),
    vaultJson: [...seed].join(','),
    vaultBase58: encodeBase58(seed),
  }));
}

async function ask(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init);
  return `${[...response.headers].join('\n')}\n${await response.text()}`;
}

async function askAdmin(method: string, path: string, body?: object): Promise<string> {
  return ask(`${bannerValue(banner, 'Admin').replace('/docs', '')}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${CREDENTIAL}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The secret that an answer shows this once. */
async function made(field: 'key' | 'token', path: string, body?: object): Promise<string> {
  const secret = new RegExp(`"${field}":"([^"]+)"`).exec(await askAdmin('POST', path, body))?.[1];
  if (secret === undefined) throw new Error(`${path} showed no ${field}`);
  return secret;
}

/** Signs a wallet in and returns its token. */
async function signedIn(rest: string): Promise<string> {
  const wallet = createKeypairFromSeed(randomBytes(32));
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${rest}/trigger/v2/auth/${path}`, asked)).json() as Promise<Record<string, string>>;
  };
  const asking = { walletPubkey: wallet.address, type: 'message' };
  const { challenge = '' } = await post('challenge', asking);
  const signature = encodeBase58(signWith(wallet, Buffer.from(challenge)));
  const { token = '' } = await post('verify', { ...asking, signature });
  expect(token).toMatch(/^eyJ/);
  return token;
}

async function sendBytes(bytes: string): Promise<void> {
  const socket = connect(Number(new URL(bannerValue(banner, 'REST')).port), '127.0.0.1');
  socket.on('data', (chunk) => {
    answers += String(chunk);
  });
  socket.on('error', () => {});
  socket.end(bytes);
  await once(socket, 'close');
}

/** Sends the beginning of a request, which stays under way. */
async function begin(bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(bannerValue(banner, 'REST')).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return socket;
}

const reports = () =>
  readdirSync(folder)
    .filter((name) => /^report.*\.json$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));

/** Resolves when there are so many reports, and each is whole. */
async function reported(count: number): Promise<void> {
  const whole = () => reports().filter((text) => text.includes('"sharedObjects"'));
  await expect.poll(whole).toHaveLength(count);
}
