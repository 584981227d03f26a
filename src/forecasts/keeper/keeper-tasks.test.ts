import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { KeeperTasks, type TaskOutcome } from './keeper-tasks.ts';

describe('KeeperTasks', () => {
  it('runs a task once at a time, and again as soon as it is wanted', async () => {
    const { tasks } = open();
    let runs = 0;
    let end: (outcome: TaskOutcome) => void = () => undefined;
    const work = () => {
      runs++;
      return new Promise<TaskOutcome>((resolve) => {
        end = resolve;
      });
    };
    tasks.begin('a', work);
    tasks.begin('a', work);
    expect([runs, tasks.running]).toEqual([1, 1]);
    end('again');
    await tasks.drain();
    tasks.begin('a', work);
    expect(runs).toBe(2);
    end('done');
    await tasks.drain();
    expect(tasks.running).toBe(0);
  });

  it('tries what fails again after longer and longer pauses, and what throws too', async () => {
    const { tasks, timers, errors } = open();
    const pauses: number[] = [];
    let since = timers.now();
    const work = async (): Promise<TaskOutcome> => {
      pauses.push(timers.now() - since);
      since = timers.now();
      if (pauses.length === 3) throw new Error('it is away');
      return 'failed';
    };
    for (let turn = 0; turn < 400; turn++) {
      tasks.begin('a', work);
      await tasks.drain();
      timers.advance(500);
    }
    expect(pauses.slice(0, 8)).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(pauses.at(-1)).toBe(60_000);
    expect(errors).toEqual([new Error('it is away')]);
  });

  it('holds up no other task for one that fails, and runs no more than it may', () => {
    const { tasks } = open();
    const begun: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      tasks.begin(name, () => {
        begun.push(name);
        return new Promise<TaskOutcome>(() => undefined);
      });
    }
    expect(begun).toEqual(['a', 'b']);
  });

  it('forgets the failures of what nobody has wanted for ten minutes', async () => {
    const { tasks, timers } = open();
    let runs = 0;
    const work = async (): Promise<TaskOutcome> => {
      runs++;
      return 'failed';
    };
    for (let turn = 0; turn < 200; turn++) {
      tasks.begin('a', work);
      await tasks.drain();
      timers.advance(500);
    }
    const before = runs;
    timers.advance(599_000);
    tasks.forgetOld();
    timers.advance(2_000);
    tasks.forgetOld();
    for (let turn = 0; turn < 2; turn++) {
      tasks.begin('a', work);
      await tasks.drain();
      timers.advance(500);
    }
    expect(runs).toBe(before + 2);
  });

  function open() {
    const timers = new ManualTimers();
    const errors: unknown[] = [];
    return {
      timers,
      errors,
      tasks: new KeeperTasks({ atOnce: 2, timers, onError: (error) => errors.push(error) }),
    };
  }
});
