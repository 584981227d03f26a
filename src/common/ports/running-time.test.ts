import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { createFairTimers, openRunningTime, type RunningTime } from './running-time.ts';
import { SYSTEM_TIMERS, type Timers } from './timers.ts';

describe('openRunningTime', () => {
  it('does not count pauses of the process', () => {
    let time = 0;
    let tick = () => {};
    const running = openRunningTime({
      stopwatch: () => time,
      every: (_, work) => {
        tick = work;
        return () => undefined;
      },
    });
    time = 105;
    tick();
    expect(running.now()).toBe(105);
    time += 15_000;
    expect(running.now()).toBe(205);
    tick();
    expect(running.now()).toBe(205);
    time += 50;
    expect(running.now()).toBe(255);
  });
});

describe('createFairTimers', () => {
  let timers: ManualTimers;
  let ran: number;
  let fired: boolean;
  let fair: Timers;

  beforeEach(() => {
    timers = new ManualTimers();
    ran = 0;
    fired = false;
    fair = createFairTimers(timers, { now: () => ran });
  });

  it('extends a deadline by the length of a pause', () => {
    fair.after(10_000, () => {
      fired = true;
    });
    // A minute passes, and the process runs for one second of it.
    ran = 1_000;
    timers.advance(60_000);
    expect(fired).toBe(false);
    ran = 9_999;
    timers.advance(8_999);
    expect(fired).toBe(false);
    ran = 10_000;
    timers.advance(1);
    expect(fired).toBe(true);
    expect(timers.waiting).toBe(0);
  });

  it('can be cancelled after a pause', () => {
    const cancel = fair.after(10_000, () => {
      fired = true;
    });
    timers.advance(10_000);
    cancel();
    ran = 20_000;
    timers.advance(20_000);
    expect(fired).toBe(false);
    expect(timers.waiting).toBe(0);
  });
});

describe('a deadline after a pause of the event loop', () => {
  let server: Server;
  let near: Socket;
  let far: Socket;
  let running: RunningTime;

  beforeEach(async () => {
    running = openRunningTime();
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection');
    near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    [far] = (await connected) as [Socket];
  });
  afterEach(() => {
    running.stop();
    near.destroy();
    far.destroy();
    server.close();
  });

  it('passes only after the data that the socket had received is read', async () => {
    const happened: string[] = [];
    const deadline = new Promise<void>((resolve) => {
      createFairTimers(SYSTEM_TIMERS, running).after(200, () => {
        happened.push('deadline');
        resolve();
      });
    });
    near.on('data', (data) => happened.push(String(data)));
    far.write('the signature');
    // The data is in the socket now, and this process is blocked for longer than the deadline.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    await deadline;
    expect(happened).toEqual(['the signature', 'deadline']);
  });
});
