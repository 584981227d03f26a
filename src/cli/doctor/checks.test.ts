import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { openTestFolder } from '../../testing/test-folder.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { ok, runChecks } from './check.ts';
import { checkClock } from './clock-check.ts';
import { checkNode } from './machine-checks.ts';

describe('runChecks', () => {
  it('reports one that throws, and one that does not end within ten seconds, beside the others', async () => {
    const timers = new ManualTimers();
    const checks = [
      { name: 'silent', run: () => new Promise<never>(() => {}) },
      { name: 'broken', run: () => Promise.reject(new Error('no password hunter2\nhere')) },
      { name: 'good', run: () => ok('fine') },
    ];
    const running = runChecks(checks, ['hunter2'], timers);
    await yieldToOtherWork();
    timers.advance(10_000);
    expect(await running).toEqual([
      {
        name: 'silent',
        status: 'fault',
        message: expect.stringMatching(/^it has not answered within 10 seconds; see/),
      },
      { name: 'broken', status: 'fault', message: 'no password (secret) here' },
      { name: 'good', status: 'ok', message: 'fine' },
    ]);
    expect(timers.waiting).toBe(0);
  });

  it('cuts a message off that a server has chosen', async () => {
    const [{ message } = { message: '' }] = await runChecks(
      [{ name: 'long', run: () => ok('x'.repeat(5_000)) }],
      [],
      new ManualTimers(),
    );
    expect(message).toHaveLength(603);
  });
});

describe('checkClock', () => {
  const time = (ahead: number, isOfBlock = false) => [{ server: 'PostgreSQL', ahead, isOfBlock }];

  it.each([
    [1_999, false, /^ok: as that of PostgreSQL \(2.0 s\)$/],
    [-5_000, false, /^warning: it is 5.0 s ahead of the clock of PostgreSQL; synchronise/],
    [31_000, false, /^fault: it is 31.0 s behind the clock of PostgreSQL; synchronise/],
    [31_000, true, /^ok: /],
    [-90_000, true, /^fault: it is 90.0 s ahead of the clock of PostgreSQL/],
  ])('judges a server whose clock is %d ms ahead (of a block: %s)', (ahead, isOfBlock, expected) => {
    const { status, message } = checkClock(time(ahead, isOfBlock), '/nonexistent', 0);
    expect(`${status}: ${message}`).toMatch(expected);
  });

  it('reports a server that makes it a fault, and not one before it that is only notable', () => {
    const times = [
      { server: 'PostgreSQL', ahead: 3_000, isOfBlock: false },
      { server: 'Valkey', ahead: 31_000, isOfBlock: false },
    ];
    const { status, message } = checkClock(times, '/nonexistent', 0);
    expect(`${status}: ${message}`).toMatch(/^fault: it is 31.0 s behind the clock of Valkey; synchronise/);
  });

  it('finds out by the files that the clock was set back, without a server', () => {
    const folder = openTestFolder('clock');
    expect(checkClock([], folder, 0).status).toBe('ok');
    writeFileSync(join(folder, 'file'), '');
    expect(checkClock([], folder, 0)).toMatchObject({
      status: 'fault',
      message: expect.stringMatching(/^it was set back/),
    });
  });
});

describe('checkNode', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['20.17.9', 'fault'],
    ['18.99.99', 'fault'],
    ['22.0.0', 'ok'],
  ])('%s is %s', (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });
});
