import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { awaitStopSignal } from './stop-signal.ts';

it('stopSignal resolves at the first signal, ignores its echo, and forces at a later one', async () => {
  const source = new EventEmitter();
  const forced: number[] = [];
  let time = 1_000;
  const stopped = awaitStopSignal({
    source,
    now: () => time,
    stopsAtHangup: true,
    onHangup: () => {},
    force: (code) => forced.push(code),
  });
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

it.each(['SIGTERM', 'SIGHUP'])('stopSignal resolves at %s', async (signal) => {
  const source = new EventEmitter();
  const stopped = awaitStopSignal({
    source,
    now: () => 0,
    stopsAtHangup: true,
    onHangup: () => {},
    force: () => {},
  });
  source.emit(signal, signal);
  await expect(stopped).resolves.toBeUndefined();
});

it('stopSignal goes on at SIGHUP without a terminal', async () => {
  const source = new EventEmitter();
  let hangups = 0;
  let isStopped = false;
  const onHangup = () => {
    hangups++;
  };
  const stopped = awaitStopSignal({ source, now: () => 0, stopsAtHangup: false, onHangup, force: () => {} });
  void stopped.then(() => {
    isStopped = true;
  });
  source.emit('SIGHUP', 'SIGHUP');
  await Promise.resolve();
  expect({ hangups, isStopped }).toEqual({ hangups: 1, isStopped: false });
  source.emit('SIGTERM', 'SIGTERM');
  await stopped;
});
