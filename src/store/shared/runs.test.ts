import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SharedRuns } from '../../common/ports/shared-runs.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { sharedRuns } from './runs.ts';
import { script, type Valkey } from './valkey.ts';
import { openLine, openTestValkey, TEST_VALKEY_URL } from './valkey-for-tests.ts';

const OPTIONS = { kind: 'task', whenLost: 'not now', taskLifeMs: 60_000, answerLifeMs: 60_000 };

describe.runIf(TEST_VALKEY_URL !== null)('runs that instances share', () => {
  let valkey: Valkey;
  let runs: SharedRuns;
  let brief: SharedRuns;
  let id: string;
  beforeAll(async () => {
    ({ valkey } = await openTestValkey());
    runs = sharedRuns(valkey, { ...OPTIONS, leaseMs: 60_000 });
    brief = sharedRuns(valkey, { ...OPTIONS, leaseMs: 50, taskLifeMs: 400, answerLifeMs: 50 });
  });
  afterAll(() => valkey.close());
  beforeEach(() => {
    id = randomUUID();
  });

  /** As a server that was started again, or emptied. */
  async function forget(): Promise<void> {
    const del = script(`redis.call('DEL', KEYS[1])`);
    for (const key of [`task:${id}`, 'task-since']) await valkey.run(del, key, []);
  }

  it('keep a task, and give it to one who asks for it', async () => {
    expect(await runs.get(id)).toBeNull();
    await runs.put(id, 'task');
    expect(await runs.get(id)).toBe('task');
    const beginnings = await Promise.all(['a', 'b', 'c'].map((holder) => runs.begin(id, 'task', holder)));
    expect(beginnings.map(({ kind }) => kind).sort()).toEqual(['begun', 'held', 'held']);
    expect(await runs.look(id)).toEqual({ kind: 'held' });
  });

  it('of a holder that vanished are free after one lease when the clock of the server is put back', async () => {
    await brief.begin(id, 'task', 'gone');
    const ahead = script(`redis.call('HSET', KEYS[1], 'until', redis.call('TIME')[1] * 1000 + 7200000)
redis.call('PERSIST', KEYS[1])`);
    await valkey.run(ahead, `task:${id}`, []);
    expect(await brief.look(id)).toEqual({ kind: 'held' });
    await expect.poll(() => brief.look(id)).toEqual({ kind: 'free' });
    await valkey.run(ahead, `task:${id}`, []);
    expect(await brief.begin(id, 'task', 'next')).toEqual({ kind: 'held' });
    await expect.poll(() => brief.begin(id, 'task', 'next')).toEqual({ kind: 'begun' });
  });

  it('of which the server may have forgotten some grow old again when its clock is put back', async () => {
    const ahead = script(`redis.call('SET', KEYS[1], redis.call('TIME')[1] * 1000 + 7200000)`);
    await valkey.run(ahead, 'task-since', []);
    expect(await runs.age()).toBe(0);
    await expect.poll(() => runs.age()).toBeGreaterThan(0);
  });

  it('give everybody the first answer', async () => {
    expect(await runs.look(id)).toEqual({ kind: 'free' });
    await runs.begin(id, 'task', 'a');
    await runs.end(id, 'a', 'first', 'task');
    await runs.end(id, 'b', 'second', 'task');
    expect(await runs.look(id)).toEqual({ kind: 'ended', answer: 'first' });
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'ended', answer: 'first' });
    expect(await runs.get(id)).toBe('task');
  });

  it('can be begun again when they ended without an answer, but not by the word of another', async () => {
    await runs.begin(id, 'task', 'a');
    await runs.end(id, 'b', null, 'task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'held' });
    await runs.end(id, 'a', null, 'task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'begun' });
  });

  it('tell whoever begins them next that their holder marked them, and by nobody else', async () => {
    await runs.begin(id, 'task', 'a');
    await runs.mark(id, 'b');
    await runs.end(id, 'a', null, 'task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'begun' });
    await runs.mark(id, 'b');
    await runs.end(id, 'b', null, 'task');
    expect(await runs.begin(id, 'task', 'c')).toEqual({ kind: 'begun', isMarked: true });
  });

  it('go to another when nobody keeps them, and stay with who does', async () => {
    await brief.begin(id, 'task', 'a');
    await runs.keep(id, 'a', 'task');
    await runs.keep(id, 'b', 'task');
    expect(await brief.begin(id, 'task', 'b')).toEqual({ kind: 'held' });
    const other = randomUUID();
    await brief.begin(other, 'task', 'a');
    await expect.poll(async () => (await brief.begin(other, 'task', 'b')).kind).toBe('begun');
    // Who was too late changes nothing for who took over, but an answer is an answer.
    await runs.keep(other, 'a', 'task');
    await runs.end(other, 'a', 'late', 'task');
    expect(await runs.begin(other, 'task', 'c')).toEqual({ kind: 'ended', answer: 'late' });
  });

  it('are known again, with who holds them, after the server has forgotten them', async () => {
    await runs.begin(id, 'task', 'a');
    await forget();
    expect(await runs.get(id)).toBeNull();
    await runs.keep(id, 'a', 'task');
    expect(await runs.get(id)).toBe('task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'held' });
    await forget();
    await runs.end(id, 'a', 'answer', 'task');
    expect(await runs.get(id)).toBe('task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'ended', answer: 'answer' });
  });

  it('are not taken from who began them after the server had forgotten', async () => {
    await runs.begin(id, 'task', 'a');
    await forget();
    await runs.begin(id, 'task', 'b');
    await runs.keep(id, 'a', 'task');
    await runs.end(id, 'a', null, 'task');
    expect(await runs.begin(id, 'task', 'c')).toEqual({ kind: 'held' });
  });

  it('tell since when nothing was forgotten', async () => {
    await runs.age();
    await expect.poll(() => runs.age()).toBeGreaterThan(20);
    await forget();
    expect(await runs.age()).toBe(0);
  });

  it('are forgotten in time', async () => {
    await brief.put(id, 'task');
    await expect.poll(() => runs.get(id)).toBeNull();
    await runs.begin(id, 'task', 'a');
    await brief.end(id, 'a', 'answer', 'task');
    await expect.poll(() => runs.get(id)).toBeNull();
  });

  it('say in the given sentence that there is no server', async () => {
    const line = await openLine();
    const { valkey: gone } = await openTestValkey(line.url);
    line.cut();
    const refused = sharedRuns(gone, { ...OPTIONS, leaseMs: 1 }).put(id, 'task');
    await expect(refused).rejects.toThrow(new Unavailable('not now'));
    gone.close();
  });
});
