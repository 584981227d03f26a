import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../test/timers.ts';
import { ANSWER_WITHIN_MS, type Instances, openInstances } from './instances.ts';
import type { Relay } from './relay.ts';
import { Unavailable } from '../unavailable.ts';

/** Relays in one process: what is sent arrives a moment later. */
function relays() {
  const handlers = new Map<string, (message: string) => void>();
  return (self: string): Relay => ({
    self,
    send: async (to, message) => {
      const handler = handlers.get(to);
      if (handler !== undefined && to !== losing) setImmediate(() => handler(message));
      return handler !== undefined;
    },
    receive: async (handler) => void handlers.set(self, handler),
  });
}

let timers: ManualTimers;
let relayOf: (self: string) => Relay;
let one: Instances;
let other: Instances;
let defects: unknown[];
/** The instance to which nothing gets through, although its connection still counts. */
let losing: string | null;

beforeEach(async () => {
  timers = new ManualTimers();
  defects = [];
  losing = null;
  relayOf = relays();
  let id = 0;
  const open = (name: string) =>
    openInstances({
      relay: relayOf(name),
      timers,
      newId: () => String(id++),
      onDefect: (error) => defects.push(error),
    });
  [one, other] = [await open('one'), await open('other')];
});

describe('instances', () => {
  it('answer what they are asked, each question for itself', async () => {
    other.answer('double', async (body, from) => `${from}: ${Number(body) * 2}`);
    expect(await Promise.all(['1', '2', '3'].map((body) => one.ask('other', 'double', body)))).toEqual([
      'one: 2',
      'one: 4',
      'one: 6',
    ]);
    expect(timers.waiting).toBe(0);
  });

  it('give up those that are gone, and those that do not answer in time', async () => {
    await expect(one.ask('nobody', 'x', '')).rejects.toThrow(Unavailable);
    other.answer('never', () => new Promise(() => {}));
    const silent = one.ask('other', 'never', '');
    timers.advance(ANSWER_WITHIN_MS);
    await expect(silent).rejects.toThrow('does not answer');
    expect(timers.waiting).toBe(0);
  });

  it('are asked again when a question or its answer is lost, and act on it once', async () => {
    const counted: string[] = [];
    other.answer('count', async (body) => {
      counted.push(body);
      return `${body} counted`;
    });
    for (const lost of ['other', 'one']) {
      losing = lost;
      const answer = one.ask('other', 'count', lost);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      losing = null;
      timers.advance(ANSWER_WITHIN_MS / 2);
      expect(await answer).toBe(`${lost} counted`);
    }
    expect(counted).toEqual(['other', 'one']);
    expect(timers.waiting).toBe(0);
  });

  it('say that they failed, and report why where it happened', async () => {
    other.answer('fails', () => Promise.reject(new Error('why')));
    await expect(one.ask('other', 'fails', '')).rejects.toThrow(Unavailable);
    await expect(one.ask('other', 'unheard of', '')).rejects.toThrow('failed');
    expect(defects.map(String)).toEqual([
      'Error: why',
      'Error: another instance asks what is not answered here',
    ]);
  });

  it('report what is no message, and go on', async () => {
    other.answer('echo', async (body) => body);
    for (const text of ['', 'null', '{}', '[]']) await relayOf('stranger').send('other', text);
    expect(await one.ask('other', 'echo', 'x')).toBe('x');
    expect(defects.map(String)).toEqual(new Array(4).fill('Error: what another instance sent is no message'));
  });

  it('ask a bounded number of questions at a time', async () => {
    other.answer('never', () => new Promise(() => {}));
    const open = Array.from({ length: 1_000 }, () => one.ask('other', 'never', '').catch(String));
    await expect(one.ask('other', 'never', '')).rejects.toThrow('1000 questions');
    timers.advance(ANSWER_WITHIN_MS);
    expect(new Set(await Promise.all(open)).size).toBe(1);
  });
});
