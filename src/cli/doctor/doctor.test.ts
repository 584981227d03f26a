import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatAccountFile } from '../../chain/records/account-json.ts';
import { lockDataFolder } from '../../data-folder/lock.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { TEST_CERTIFICATES } from '../../testing/gateway/certificates.ts';
import { runForTest } from '../../testing/run-cli.ts';
import { openTestFolder } from '../../testing/test-folder.ts';

const ANY_PORTS = ['rest', 'admin', 'rpc', 'ws', 'grpc'].map((name) => `--${name}-port=0`);

describe('sluice doctor', () => {
  it('finds nothing wrong where an instance has never run', async () => {
    const { code, checks, err } = await examine();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(checks.get('data-dir')).toMatch(/^ok: .*new does not exist yet, and can be created$/);
    expect(checks.get('node')).toBe(`ok: Node ${process.versions.node}`);
    expect(checks.get('clock')).toMatch(/^ok: .*no server has one to compare it with$/);
  });

  it('prints a table, with a line for each check and the counts below', async () => {
    const folder = openTestFolder('doctor');
    writeFileSync(join(folder, 'file'), '');
    const { code, out } = await runForTest(['doctor', ...ANY_PORTS, '--data-dir=file'], folder);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAULT +data-dir +.*file is no folder; choose another with --data-dir\n/m);
    expect(out).toMatch(/\n\d+ ok, 0 warnings, (1 fault|\d faults)\n$/);
  });

  it('refuses wrong settings as a start does, and takes no value for --json', async () => {
    expect(await runForTest(['doctor', '--rest-port=99999999'])).toMatchObject({ code: 2, out: '' });
    expect(await runForTest(['doctor', '--json=yes'])).toMatchObject({
      code: 2,
      err: 'flag --json takes no value\n',
    });
    const { code, checks } = await examine('--host=0.0.0.0', `--admin-credential=${'x'.repeat(32)}`);
    expect(code).toBe(1);
    expect(checks.get('settings')).toMatch(
      /^fault: host from flag --host is "0.0.0.0", but .* requires production/,
    );
  });

  it('says which files of the data folder others can read, or are damaged', async () => {
    const folder = openTestFolder('doctor');
    writeFileSync(join(folder, 'key-secret'), 'short', { mode: 0o600 });
    writeFileSync(join(folder, 'operator-credential'), 'a-credential-of-tests', { mode: 0o644 });
    writeFileSync(join(folder, 'sluice.db'), 'no database at all', { mode: 0o600 });
    writeFileSync(join(folder, 'request-log.db.witness'), 'x', { mode: 0o600 });
    chmodSync(folder, 0o755);
    const { code, checks, out } = await examine(`--data-dir=${folder}`);
    expect(code).toBe(1);
    expect(checks.get('data-dir')).toMatch(/^warning: .* run chmod 700 /);
    expect(checks.get('secrets of data-dir')).toMatch(
      /^fault: .*key-secret is damaged: .* from a backup; .*operator-credential can be read by other users.* chmod 600 /,
    );
    expect(checks.get('sluice.db')).toMatch(
      /^fault: .* is damaged: it does not begin as a database; restore/,
    );
    expect(checks.get('request-log.db')).toMatch(/^fault: .* is missing; restore a backup/);
    expect(out).not.toContain('a-credential-of-tests');
  });

  it('says which programs and accounts the embedded network could not load', async () => {
    const folder = openTestFolder('doctor');
    const [account, broken] = [join(folder, 'account.json'), join(folder, 'broken.so')];
    writeFileSync(account, formatAccountFile({ address: MEMO_PROGRAM, account: ACCOUNT }));
    writeFileSync(broken, 'no program');
    const found = async (...flags: string[]) => {
      const { checks } = await examine(...flags);
      return [checks.get('program'), checks.get('account')];
    };
    const program = `--program=${TOKEN_PROGRAM}=${fileURLToPath(STAND_IN)}`;
    expect(await found()).toEqual([undefined, undefined]);
    expect(await found(program, `--account=${account}`)).toEqual([
      'ok: 1 program can be loaded',
      'ok: 1 account can be loaded',
    ]);
    expect(await found(`--program=${TOKEN_PROGRAM}=${broken}`, `--account=${broken}`)).toEqual([
      expect.stringMatching(
        /^fault: .*broken\.so is no Solana program: .*; name another file with --program$/,
      ),
      expect.stringMatching(/^fault: .*broken\.so is not JSON.*; name another file with --account$/),
    ]);
    const same = `--program=${MEMO_PROGRAM}=${fileURLToPath(STAND_IN)}`;
    expect(await found(same, `--account=${account}`)).toEqual([
      'ok: 1 program can be loaded',
      expect.stringMatching(/^fault: .* is to be loaded twice, with --program and with --account/),
    ]);
  });

  it('says where the master key of vaults comes from, and shows nothing of it', async () => {
    const folder = openTestFolder('doctor');
    const [key, file] = ['5a'.repeat(32), join(folder, 'master')];
    writeFileSync(file, key, { mode: 0o644 });
    const found = async (...args: string[]) => {
      const { checks, out } = await examine(...args);
      expect(out).not.toContain(key);
      return checks.get('custody-key');
    };
    expect(await found()).toMatch(/^ok: .*custody-key is made at the first start$/);
    expect(await found('--production')).toMatch(/^warning: no master key is named, so .* custody-key-file$/);
    expect(await found(`--custody-key=${key}`)).toMatch(/^ok: the master key [0-9a-f]{16} can be read$/);
    expect(await found(`--custody-key-file=${file}`)).toMatch(/^warning: .*other users.*; run chmod 600 /);
    writeFileSync(file, key.slice(2));
    expect(await found(`--custody-key-file=${file}`)).toMatch(
      /^fault: .* has 62 characters, but a master key/,
    );
    const both = await runForTest(['doctor', `--custody-key=${key}`, `--custody-key-file=${file}`]);
    expect(both.err).toMatch(/both name a master key; give one of them\n$/);
    expect(both.err).not.toContain(key);
  });

  it('reads neither devices nor pipes that settings name', async () => {
    const folder = openTestFolder('doctor');
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    mkdirSync(join(folder, 'data'));
    execFileSync('mkfifo', [join(folder, 'data', 'key-secret')]);
    const named = ['tls-cert', 'tls-key', 'country-database', 'sponsor-keypair'].map(
      (name) => `--${name}=${pipe}`,
    );
    const { code, checks } = await examine(
      ...named,
      '--network-database=/dev/zero',
      `--data-dir=${join(folder, 'data')}`,
    );
    expect(code).toBe(1);
    for (const name of ['tls-cert', 'country-database', 'sponsor-keypair'])
      expect(checks.get(name)).toBe(`fault: ${pipe} is no file; name another`);
    expect(checks.get('network-database')).toBe('fault: /dev/zero is no file; name another');
    expect(checks.get('secrets of data-dir')).toMatch(
      /^fault: .*key-secret is no file; restore it from a backup$/,
    );
  });

  it('says when a certificate has another key, and what a keypair file may not be', async () => {
    const folder = openTestFolder('doctor');
    const [one, other] = [writeCertificate(folder, 0), writeCertificate(folder, 1)];
    const pair = (certificate: string, key: string) => [`--tls-cert=${certificate}`, `--tls-key=${key}`];
    const wrong = await examine(...pair(one.certificate, other.key));
    expect(wrong.checks.get('tls-cert')).toBe(
      `fault: ${other.key} is not the key of ${one.certificate}; name the two that belong together`,
    );
    const right = await examine(...pair(one.certificate, one.key));
    expect(right.checks.get('tls-cert')).toMatch(/until \d{4}-/);
    writeFileSync(join(folder, 'keypair.json'), '[1,2,3]', { mode: 0o600 });
    const { checks } = await examine(`--sponsor-keypair=${join(folder, 'keypair.json')}`);
    expect(checks.get('sponsor-keypair')).toMatch(/^fault: /);
  });

  it('shows no secret, whatever a server answers', async () => {
    const rpc = await openRpcAnswers({
      getHealth: { error: { message: 'no key of hunter2-in-path \u001b[31m' } },
    });
    const { code, out, checks } = await examine(
      `--rpc-url=${rpc.url}/hunter2-in-path?key=hunter3-in-query`,
      '--rpc-ws-url=ws://127.0.0.1:9/hunter2-in-path',
      '--database-url=postgres://me:hunter4@127.0.0.1:9/hunter5-database',
      '--valkey-url=valkey://:hunter%36@127.0.0.1:9',
      `--key-secret=${'hunter7'.repeat(5)}`,
    );
    await rpc.close();
    expect(code).toBe(1);
    expect(checks.get('rpc-url')).toMatch(
      /^fault: it refuses getHealth with HTTP 200: no key of \(secret\) {1,2}\[31m; see that it runs/,
    );
    expect(checks.get('database-url')).toMatch(/^fault: .*ECONNREFUSED.*; see that PostgreSQL runs/);
    expect(checks.get('valkey-url')).toMatch(/^fault: .*ECONNREFUSED.*; see that Valkey runs/);
    expect(checks.get('rpc-ws-url')).toMatch(/^fault: /);
    expect(out).not.toContain('hunter');
    expect(out).not.toContain('\\u001b');
  });

  it('compares the networks of the RPCs, and the clock with the time of a block', async () => {
    const answers = {
      getHealth: { result: 'ok' },
      getSlot: { result: 5 },
      getBlockTime: { result: 1 },
      getMultipleAccounts: { result: { value: [{}, {}] } },
    };
    const main = await openRpcAnswers({ ...answers, getGenesisHash: { result: 'one' } });
    const other = await openRpcAnswers({ ...answers, getGenesisHash: { result: 'two' } });
    const { checks } = await examine(
      `--rpc-url=${main.url}`,
      `--rpc-ws-url=ws://127.0.0.1:9`,
      `--rpc-send-url=${other.url}`,
    );
    await Promise.all([main.close(), other.close()]);
    expect(checks.get('rpc-url')).toBe('ok: it is healthy, genesis one, slot 5');
    expect(checks.get('rpc-send-url')).toMatch(
      /^fault: it is of another network: its genesis is two, and that of rpc-url one/,
    );
    expect(checks.get('clock')).toMatch(
      /^fault: it is \d+\.\d s ahead of the clock of the network; synchronise/,
    );
  });

  it('looks at the ports that the running instance has, unless settings name others', async () => {
    const folder = openTestFolder('doctor');
    const unlock = await lockDataFolder(folder);
    const instance = await openReadiness({ chain: 'ok', 'program orders': 'the events of dca wait' });
    const url = (port: number) => `http://127.0.0.1:${port}`;
    const urls = { rest: instance.url, admin: url(2), grpc: url(3), rpc: url(4), ws: 'ws://127.0.0.1:5' };
    writeFileSync(join(folder, 'instance.json'), JSON.stringify({ pid: process.pid, urls }), { mode: 0o600 });
    const { out } = await runForTest(['doctor', '--json', `--data-dir=${folder}`, '--grpc-port=0'], folder);
    const named = await runForTest(['doctor', '--json', `--data-dir=${folder}`, '--rest-port=1'], folder);
    await instance.close();
    unlock();
    const found = readChecks(out);
    const { port } = new URL(instance.url);
    expect(found.get('rest-port')).toBe(`ok: 127.0.0.1:${port}, served by the instance that runs`);
    expect(found.get('ws-port')).toBe('ok: 127.0.0.1:5, served by the instance that runs');
    expect(found.get('instance')).toMatch(
      /^warning: ready at .*, without program orders: the events of dca wait$/,
    );
    expect(readChecks(named.out).get('rest-port')).toMatch(/^\w+: .*127\.0\.0\.1:1\b/);
  });

  it('says whether orders in programs are followed and filled', async () => {
    const found = async (...flags: string[]) => (await examine(...flags)).checks.get('program orders');
    expect(await found()).toBe('ok: followed and filled');
    expect(await found('--gas-keypair=none')).toMatch(/^warning: followed, and not filled, .* gas-keypair$/);
    expect(await found('--production')).toMatch(/^warning: followed, and not filled/);
    const outside = ['--rpc-url=http://127.0.0.1:9', '--rpc-ws-url=ws://127.0.0.1:9'];
    expect(await found(...outside)).toMatch(/^ok: not followed: .*follow-order-programs follows them$/);
    expect(await found(...outside, '--follow-order-programs')).toMatch(/^warning: followed, and not filled/);
    expect(await found(...outside, '--follow-order-programs', '--gas-keypair=wallet.json')).toMatch(
      /^ok: followed, and limit orders are filled; /,
    );
  });

  it('says whether launches are migrated', async () => {
    const found = async (...flags: string[]) => (await examine(...flags)).checks.get('launches');
    expect(await found()).toBe('ok: shown, and migrated when their curve is complete');
    expect(await found('--gas-keypair=none')).toMatch(/^warning: shown, and not migrated, .* gas-keypair$/);
    const outside = ['--rpc-url=http://127.0.0.1:9', '--rpc-ws-url=ws://127.0.0.1:9'];
    expect(await found(...outside, '--gas-keypair=wallet.json')).toMatch(/^ok: .* graduate-config names/);
    const named = [...outside, '--graduate-config=dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN'];
    expect(await found(...named)).toMatch(/^warning: shown, and not migrated/);
    expect(await found(...named, '--gas-keypair=wallet.json')).toBe(
      'ok: shown, and those under one configuration are migrated when their curve is complete',
    );
    const studio = [
      '--studio-partner=dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
      '--studio-url=https://launch.example',
    ];
    expect(await found(...outside, ...studio)).toMatch(/^warning: shown, and not migrated/);
    expect(await found(...named, ...studio, '--gas-keypair=wallet.json')).toBe(
      'ok: shown, and those of the studio and those under one configuration are migrated when their curve is complete',
    );
  });

  it('says that the studio prepares no launches while one of its two settings is missing', async () => {
    const outside = ['--rpc-url=http://127.0.0.1:9', '--rpc-ws-url=ws://127.0.0.1:9'];
    const found = async (setting: string) => (await examine(...outside, setting)).checks.get('launches');
    expect(await found('--studio-url=https://launch.example')).toMatch(/^warning: .* not studio-partner, /);
    expect(await found('--studio-partner=dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN')).toMatch(
      /^warning: .* not studio-url, /,
    );
  });

  it('says which program an outside network lacks', async () => {
    const rpc = await openRpcAnswers({
      getHealth: { result: 'ok' },
      getSlot: { result: 5 },
      getGenesisHash: { result: 'one' },
      getMultipleAccounts: { result: { value: [{}, null] } },
    });
    const { checks } = await examine(`--rpc-url=${rpc.url}`, `--rpc-ws-url=ws://127.0.0.1:9`);
    await rpc.close();
    expect(checks.get('rpc-url')).toMatch(/^fault: .* has no program at JUP6\w+; name the RPC of a network/);
  });
});

const STAND_IN = new URL('../../../programs/dist/rfq-fill.so', import.meta.url);
const ACCOUNT = {
  lamports: 1_000_000n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
  rentEpoch: 0n,
};

/** Runs the command in an empty folder. `checks` has the status and message of each check, by its name. */
async function examine(...flags: readonly string[]) {
  const outside = flags.some((flag) => flag.startsWith('--rpc-url='));
  const ports = ANY_PORTS.filter((flag) => !outside || !/--(rpc|ws)-port/.test(flag));
  const place = flags.some((flag) => flag.startsWith('--data-dir=')) ? [] : [`--data-dir=new`];
  const { code, out, err } = await runForTest(
    ['doctor', '--json', ...ports, ...place, ...flags],
    openTestFolder('doctor'),
  );
  return { code, out, err, checks: readChecks(out) };
}

function readChecks(out: string): ReadonlyMap<string, string> {
  const { checks } = JSON.parse(out === '' ? '{"checks":[]}' : out) as {
    readonly checks: readonly { readonly name: string; readonly status: string; readonly message: string }[];
  };
  return new Map(checks.map(({ name, status, message }) => [name, `${status}: ${message}`]));
}

function writeCertificate(
  folder: string,
  index: number,
): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(folder, `${index}.pem`), join(folder, `${index}.key`)];
  writeFileSync(certificate, TEST_CERTIFICATES[index]?.certificate ?? '');
  writeFileSync(key, TEST_CERTIFICATES[index]?.key ?? '', { mode: 0o600 });
  return { certificate, key };
}

/** Starts an RPC that gives the same answer to each call of a method, and refuses the others. */
async function openRpcAnswers(answers: Readonly<Record<string, object>>) {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method } = JSON.parse(text) as { readonly method: string };
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id: 1, ...(answers[method] ?? { error: { message: 'unknown' } }) }),
    );
  });
  return listenAnywhere(server);
}

/** Starts what answers as `/readyz` of an instance. */
function openReadiness(parts: Readonly<Record<string, string>>) {
  return listenAnywhere(createServer((_, response) => response.end(JSON.stringify({ ready: true, parts }))));
}

async function listenAnywhere(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
