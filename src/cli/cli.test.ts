import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../testing/random.ts';
import { SETTING_NAMES } from '../config/settings/settings.ts';
import { readPackageVersion } from '../common/package.ts';
import { COMMANDS } from './cli.ts';
import { runForTest } from '../testing/run-cli.ts';

describe('help', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j lists every command', async (args) => {
    const { code, out } = await run(...args);
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS)
      expect(out).toMatch(new RegExp(`  ${name}.* ${summary.slice(0, 20)}`));
  });

  it('has no flag of a command that is a setting, which the command would hide', () => {
    const flags = COMMANDS.flatMap(({ name, flags = [] }) => flags.map((flag) => `${name} ${flag.name}`));
    const settings: readonly string[] = SETTING_NAMES;
    expect(flags.filter((flag) => settings.includes(flag.split(' ').at(-1) ?? ''))).toEqual([]);
  });

  it.each(COMMANDS.map(({ name }) => name))('of %s lists its flags', async (name) => {
    const { code, out } = await run(name, '--help');
    expect(code).toBe(0);
    const command = COMMANDS.find((candidate) => candidate.name === name);
    for (const flag of command?.settings ?? []) expect(out).toContain(`  --${flag}`);
  });

  it('of the first word of several commands lists them', async () => {
    const { code, out } = await run('maker', '--help');
    expect(code).toBe(0);
    const listed = [...out.matchAll(/^ {2}(\w+ \w+)/gm)].map(([, name]) => name);
    expect(listed).toEqual(COMMANDS.map(({ name }) => name).filter((name) => name.startsWith('maker ')));
    expect(listed).toContain('maker check');
    expect(await run('help', 'maker')).toEqual(await run('maker', '--help'));
  });

  it.each(['start', 'key create'])('of %s is also shown by sluice help', async (name) => {
    expect(await run('help', ...name.split(' '))).toEqual(await run(...name.split(' '), '--help'));
  });

  it('prints the version', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: `${readPackageVersion()}\n`, err: '' });
  });
});

describe('config', () => {
  it('shows the values of flags', async () => {
    const { code, out } = await run(
      'config',
      '--rest-port=1',
      '--no-ephemeral',
      '--production',
      '--seed',
      '--x',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^rest-port +1 +flag --rest-port$/m);
    expect(out).toMatch(/^ephemeral +false +flag --ephemeral$/m);
    expect(out).toMatch(/^production +true +flag --production$/m);
    expect(out).toMatch(/^seed +"--x" +flag --seed$/m);
  });

  it('accepts a value for every setting except the switches', async () => {
    for (const name of SETTING_NAMES) {
      const { err } = await run('config', `--${name}`);
      // A switch may be refused because it needs another setting, but not because it lacks a value.
      expect(err, name).toMatch(
        /^(|flag --[a-z-]+ needs a value, as in .*\n|.* only together with [a-z-]+\n)$/,
      );
    }
  });
});

it('reports a refusal of the system without a stack trace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
  mkdirSync(join(folder, 'demo-api-key'));
  const { code, out, err } = await run('start', `--data-dir=${folder}`);
  rmSync(folder, { recursive: true });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^the system refused it: EISDIR: .*\n$/);
});

describe('a command that needs a running instance, without one', () => {
  it.each<[readonly string[], string]>([
    [['plan', 'list', '--admin-port=1'], 'or say where it is with --admin-port and --admin-host'],
    [['faucet', WALLET, 'SOL', '1', '--admin-port=1'], 'with --admin-port and --admin-host'],
    [['dump', WALLET, '--rpc-port=1'], 'with --rpc-port and --host'],
  ])('%j says what to do', async (args, remedy) => {
    const { code, err } = await run(...args);
    expect(err).toMatch(
      /^http:\/\/127\.0\.0\.1:1 cannot be reached: .*; start an instance with sluice start, or/,
    );
    expect(err).toContain(remedy);
    expect(code).toBe(1);
  });

  it('says only that the RPC is unreachable if a flag named it', async () => {
    const { err } = await run('dump', WALLET, '--rpc', 'http://127.0.0.1:1');
    expect(err).toMatch(/^http:\/\/127\.0\.0\.1:1 cannot be reached: [^;]*$/);
  });
});

describe('a call with wrong arguments', () => {
  it.each([
    [['strat'], '"strat" is not a command; did you mean start?'],
    [['config', '--rest-prot', '1'], '--rest-prot is not a flag; did you mean --rest-port?'],
    [['config', '-x'], '-x is not a flag'],
    [
      ['config', '--rest-port'],
      'flag --rest-port needs a value, as in --rest-port VALUE or --rest-port=VALUE',
    ],
    [['config', 'more'], 'usage: sluice config; got "more" after the command'],
    [['org', 'show'], 'usage: sluice org show <organisation>; got nothing after the command'],
    [['plan'], '"plan" is not a command; commands are plan list, plan change, plan reset\n'],
    [['team', 'lst'], '"team lst" is not a command; did you mean team list?; commands are team list, team'],
    [['help', 'strat'], '"strat" is not a command; did you mean start?'],
    [
      ['start', '--tls-cert=a.pem'],
      'tls-cert from flag --tls-cert is "a.pem", but must be the path of a file, given together with tls-key',
    ],
    [
      ['start', '--admin-tls-cert=a.pem'],
      'admin-tls-cert from flag --admin-tls-cert is "a.pem", but must be the path of a file, given together with admin-tls-key',
    ],
    [
      ['config', '--tls-key=a.pem'],
      'tls-key from flag --tls-key is "a.pem", but must be the path of a file, given together with tls-cert',
    ],
    [
      ['config', '--admin-tls-key=a.pem'],
      'but must be the path of a file, given together with admin-tls-cert',
    ],
    [['config', '--help=yes'], 'flag --help takes no value'],
    [['config', '--config', 'a', '--config', 'b'], 'flag --config was given twice; give it once'],
    [['config', '--config', 'missing.json'], 'file /nonexistent/missing.json cannot be read'],
    [
      ['config', '--ephemeral=maybe'],
      'ephemeral from flag --ephemeral is "maybe", but must be true or false',
    ],
    [['config', '--no-seed'], '--no-seed is not a flag'],
    [
      ['dump', '--slot-ms', '100', 'So11111111111111111111111111111111111111112'],
      '--slot-ms is not a flag of sluice dump',
    ],
  ])('%j exits with 2 and says why', async (args, message) => {
    const { code, out, err } = await run(...args);
    expect(err).toContain(message);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  it('exits with 0 or 2 for any arguments, and writes an error only with 2', async () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('config', '--', '--config', '-h', '--seed', '--ephemeral'),
    );
    await assertProperty(
      fc.asyncProperty(fc.array(word, { maxLength: 4 }), async (words) => {
        const { code, err } = await run('config', ...words);
        expect([0, 2]).toContain(code);
        expect(err === '').toBe(code === 0);
      }),
      { cases: 500, seed: 11 },
    );
  });
});

it('reports unknown flags together with everything else that is wrong', async () => {
  const { code, err } = await run(
    'start',
    '--rest-prot=1',
    '--ephemral',
    '--slot-ms=1',
    '--host=example.com',
  );
  expect(code).toBe(2);
  expect(err.trim().split('\n')).toEqual([
    '--rest-prot is not a flag; did you mean --rest-port?',
    '--ephemral is not a flag; did you mean --ephemeral?',
    expect.stringMatching(/^host from flag --host is "example.com"/),
    expect.stringMatching(/^slot-ms from flag --slot-ms is 1/),
  ]);
});

const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';

async function run(...args: string[]) {
  return runForTest(args);
}
