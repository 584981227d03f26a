import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES } from '../config/settings/settings.ts';
import { packageVersion } from '../common/package.ts';
import { COMMANDS } from './cli.ts';
import { runForTest } from './run-for-tests.ts';

const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';

async function run(...args: string[]) {
  return runForTest(args);
}

describe('help', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j lists every command', async (args) => {
    const { code, out } = await run(...args);
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS)
      expect(out).toMatch(new RegExp(`  ${name}.* ${summary.slice(0, 20)}`));
  });

  it.each(COMMANDS.map(({ name }) => name))('of %s lists its flags', async (name) => {
    const { code, out } = await run(name, '--help');
    expect(code).toBe(0);
    const command = COMMANDS.find((candidate) => candidate.name === name);
    for (const flag of command?.settings ?? []) expect(out).toContain(`  --${flag}`);
  });

  it.each(['start', 'key create'])('of %s is told by sluice help, too', async (name) => {
    expect(await run('help', ...name.split(' '))).toEqual(await run(...name.split(' '), '--help'));
  });

  it('tells the version', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: `${packageVersion()}\n`, err: '' });
  });
});

describe('config', () => {
  it('shows what the flags say', async () => {
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

  it('takes a value for every setting that is not true or false', async () => {
    for (const name of SETTING_NAMES) {
      const { err } = await run('config', `--${name}`);
      expect(err, name).toMatch(/^(|flag --[a-z-]+ needs a value, as in .*\n)$/);
    }
  });
});

it('what the system refuses is told without the place in the program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
  mkdirSync(join(folder, 'demo-api-key'));
  const { code, out, err } = await run('start', `--data-dir=${folder}`);
  rmSync(folder, { recursive: true });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^the system refused it: EISDIR: .*\n$/);
});

describe('where no instance runs', () => {
  it.each<[readonly string[], string]>([
    [['plan', 'list', '--admin-port=1'], 'or say where it is with --admin-port and --admin-host'],
    [['faucet', WALLET, 'SOL', '1', '--rpc-port=1', '--admin-port=2'], 'with --rpc-port and --host'],
    [['dump', WALLET, '--rpc-port=1'], 'with --rpc-port and --host'],
  ])('%j says what to do', async (args, remedy) => {
    const { code, err } = await run(...args);
    expect(err).toMatch(
      /^http:\/\/127\.0\.0\.1:1 cannot be reached: .*; start an instance with sluice start, or/,
    );
    expect(err).toContain(remedy);
    expect(code).toBe(1);
  });

  it('an RPC that was named is only said to be out of reach', async () => {
    const { err } = await run('dump', WALLET, '--rpc', 'http://127.0.0.1:1');
    expect(err).toMatch(/^http:\/\/127\.0\.0\.1:1 cannot be reached: [^;]*$/);
  });
});

describe('a wrong call', () => {
  it.each([
    [['strat'], '"strat" is not a command; did you mean start?'],
    [['config', '--rest-prot', '1'], '--rest-prot is not a flag; did you mean --rest-port?'],
    [['config', '-x'], '-x is not a flag'],
    [
      ['config', '--rest-port'],
      'flag --rest-port needs a value, as in --rest-port VALUE or --rest-port=VALUE',
    ],
    [['config', 'more'], 'usage: sluice config; given was "more" after the command'],
    [['org', 'show'], 'usage: sluice org show <organisation>; given was nothing after the command'],
    [['plan'], '"plan" is not a command; commands are plan list\n'],
    [['team', 'lst'], '"team lst" is not a command; did you mean team list?; commands are team list, team'],
    [['help', 'strat'], '"strat" is not a command; did you mean start?'],
    [
      ['start', '--admin-tls-cert=a.pem'],
      'admin-tls-cert from flag --admin-tls-cert is "a.pem", but allowed is the path of a file only together with admin-tls-key',
    ],
    [
      ['config', '--tls-key=a.pem'],
      'tls-key from flag --tls-key is "a.pem", but allowed is the path of a file only together with tls-cert',
    ],
    [['config', '--admin-tls-key=a.pem'], 'only together with admin-tls-cert'],
    [['config', '--help=yes'], 'flag --help takes no value'],
    [['config', '--config', 'a', '--config', 'b'], 'flag --config was given twice; once is allowed'],
    [['config', '--config', 'missing.json'], 'file /nonexistent/missing.json cannot be read'],
    [
      ['config', '--ephemeral=maybe'],
      'ephemeral from flag --ephemeral is "maybe", but allowed is true or false',
    ],
    [['config', '--no-seed'], '--no-seed is not a flag'],
    [
      ['dump', '--slot-ms', '100', 'So11111111111111111111111111111111111111112'],
      '--slot-ms is not a flag of sluice dump',
    ],
  ])('%j ends with 2 and says why', async (args, message) => {
    const { code, out, err } = await run(...args);
    expect(err).toContain(message);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  it('is told for any arguments, and never thrown', async () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('config', '--', '--config', '-h', '--seed', '--ephemeral'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 4 }), async (words) => {
        const { code, err } = await run('config', ...words);
        expect([0, 2]).toContain(code);
        expect(err === '').toBe(code === 0);
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
