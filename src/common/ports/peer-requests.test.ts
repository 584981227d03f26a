import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { ANSWER_WITHIN_MS, type PeerRequests, openPeerRequests } from './peer-requests.ts';
import type { MessageTransport } from './message-transport.ts';
import { Unavailable } from '../unavailable.ts';
import { openForEach } from '../../testing/opened.ts';

let transportOf: (self: string) => MessageTransport;
let one: PeerRequests;
let other: PeerRequests;
let defects: unknown[];
/** An instance that receives no messages although its connection still exists. */
let losing: string | null;
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('openPeerRequests', () => {
  it('replies to each request separately', async () => {
    other.answer('double', async (body, from) => `${from}: ${Number(body) * 2}`);
    expect(await Promise.all(['1', '2', '3'].map((body) => one.ask('other', 'double', body)))).toEqual([
      'one: 2',
      'one: 4',
      'one: 6',
    ]);
    expect(timers.waiting).toBe(0);
  });

  it('rejects when an instance is gone or does not reply in time', async () => {
    await expect(one.ask('nobody', 'x', '')).rejects.toThrow(Unavailable);
    other.answer('never', () => new Promise(() => {}));
    const silent = one.ask('other', 'never', '');
    timers.advance(ANSWER_WITHIN_MS);
    await expect(silent).rejects.toThrow('does not answer');
    expect(timers.waiting).toBe(0);
  });

  it('sends a lost request again, and handles it once', async () => {
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

  it('rejects when the handler fails, which is reported where it runs', async () => {
    other.answer('fails', () => Promise.reject(new Error('why')));
    await expect(one.ask('other', 'fails', '')).rejects.toThrow(Unavailable);
    await expect(one.ask('other', 'unheard of', '')).rejects.toThrow('failed');
    expect(defects.map(String)).toEqual([
      'Error: why',
      'Error: another instance asks what is not answered here',
    ]);
  });

  it('reports a malformed message and keeps working', async () => {
    other.answer('echo', async (body) => body);
    for (const text of ['', 'null', '{}', '[]']) await transportOf('stranger').send('other', text);
    expect(await one.ask('other', 'echo', 'x')).toBe('x');
    expect(defects.map(String)).toEqual(new Array(4).fill('Error: what another instance sent is no message'));
  });

  it('limits the number of open requests', async () => {
    other.answer('never', () => new Promise(() => {}));
    const open = Array.from({ length: 1_000 }, () => one.ask('other', 'never', '').catch(String));
    await expect(one.ask('other', 'never', '')).rejects.toThrow('1000 questions');
    timers.advance(ANSWER_WITHIN_MS);
    expect(new Set(await Promise.all(open)).size).toBe(1);
  });
});

/** Transports in one process. A message arrives a moment after it was sent. */
function transports() {
  const handlers = new Map<string, (message: string) => void>();
  return (self: string): MessageTransport => ({
    self,
    send: async (to, message) => {
      const handler = handlers.get(to);
      if (handler !== undefined && to !== losing) setImmediate(() => handler(message));
      return handler !== undefined;
    },
    receive: async (handler) => void handlers.set(self, handler),
  });
}

async function setUp(): Promise<void> {
  defects = [];
  losing = null;
  transportOf = transports();
  let id = 0;
  const open = (name: string) =>
    openPeerRequests({
      transport: transportOf(name),
      timers,
      newId: () => String(id++),
      onDefect: (error) => defects.push(error),
    });
  [one, other] = [await open('one'), await open('other')];
}
