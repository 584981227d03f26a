import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Timers } from '../../common/ports/timers.ts';
import { runExample } from './example-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-example-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('runExample', () => {
  it('starts an example that ended again, after ever longer times, until the rooms are closed', async () => {
    const timers = new ManualTimers();
    const logged: string[] = [];
    const closes: (() => unknown)[] = [];
    let runs = 0;
    runExample(
      {
        folder,
        logError: (why, text) => logged.push(`${JSON.stringify(why)} ${text}`),
        toClose: (close) => closes.push(close),
      },
      {
        name: 'example',
        example: 'example',
        env: {},
        onMessage: () => runs++,
      },
      { timers, command: () => ['-e', SPEAK_AND_END] },
    );
    const ended = async (times: number) =>
      vi.waitFor(
        () => {
          expect(timers.waiting).toHaveLength(1);
          expect(runs).toBe(times);
        },
        { interval: 20 },
      );
    const delays: (number | undefined)[] = [];
    for (let times = 1; times <= 3; times++) {
      await ended(times);
      const next = timers.waiting.pop();
      delays.push(next?.delay);
      if (times < 3) next?.callback();
    }
    expect(delays).toEqual([1_000, 2_000, 4_000]);
    expect(logged[0]).toBe('{"code":3,"signal":null} the example has ended; it is started again in 1 s');
    for (const close of closes) await close();
    expect(timers.waiting).toEqual([]);
  });

  it('keeps an example out of the process group that Ctrl-C in a terminal signals', async () => {
    const pids: number[] = [];
    const closes: (() => unknown)[] = [];
    runExample(
      { folder, logError: () => {}, toClose: (close) => closes.push(close) },
      { name: 'example', example: 'example', env: {}, onMessage: (pid) => pids.push(Number(pid)) },
      { timers: new ManualTimers(), command: () => ['-e', SAY_PID_AND_STAY] },
    );
    await vi.waitFor(() => expect(pids).toHaveLength(1));
    // There is a process group of this number only if the example leads it.
    expect(() => process.kill(-(pids[0] ?? 0), 0)).not.toThrow();
    for (const close of closes) await close();
  });
});

const SAY_PID_AND_STAY = 'process.send(process.pid); setInterval(() => {}, 60_000)';
const SPEAK_AND_END = "process.send('running', () => process.exit(3))";

/** Timers of which the test calls the callbacks, on a clock that it moves. */
class ManualTimers implements Timers {
  time = 0;
  readonly waiting: { readonly delay: number; readonly callback: () => void }[] = [];
  readonly now = (): number => this.time;
  readonly after = (delay: number, callback: () => void): (() => void) => {
    const timer = { delay, callback };
    this.waiting.push(timer);
    return () => this.waiting.splice(this.waiting.indexOf(timer), 1);
  };
}
