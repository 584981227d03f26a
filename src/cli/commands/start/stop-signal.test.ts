import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { stopSignal } from './stop-signal.ts';

it('stops at the first signal, takes its echo for the same, and forces at a later one', async () => {
  const source = new EventEmitter();
  const forced: number[] = [];
  let time = 1_000;
  const stopped = stopSignal({ source, now: () => time, force: (code) => forced.push(code) });
  source.emit('SIGINT', 'SIGINT');
  await stopped;
  time += 5;
  source.emit('SIGINT', 'SIGINT');
  expect(forced).toEqual([]);
  time += 2_000;
  source.emit('SIGINT', 'SIGINT');
  source.emit('SIGTERM', 'SIGTERM');
  expect(forced).toEqual([130, 143]);
});

it.each(['SIGTERM', 'SIGHUP'])('stops at %s', async (signal) => {
  const source = new EventEmitter();
  const stopped = stopSignal({ source, now: () => 0, force: () => {} });
  source.emit(signal, signal);
  await expect(stopped).resolves.toBeUndefined();
});
