import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionStore } from '../../common/ports/execution-store.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { createSharedExecutionStore } from './execution-store.ts';
import { createScript, type Valkey } from './valkey.ts';
import { endLease, openLine, openTestValkey, TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';

describe.runIf(TEST_VALKEY_URL !== null)('createSharedExecutionStore', () => {
  let valkey: Valkey;
  let runs: ExecutionStore;
  /** Its leases expire quickly, and nothing else. */
  let brief: ExecutionStore;
  /** Everything of it expires quickly. */
  let fleeting: ExecutionStore;
  let id: string;
  beforeAll(setUp);
  afterAll(() => valkey?.close());
  beforeEach(setUpEach);

  it('put: keeps a task, which get returns', async () => {
    expect(await runs.get(id)).toBeNull();
    await runs.put(id, 'task');
    expect(await runs.get(id)).toBe('task');
    const beginnings = await Promise.all(['a', 'b', 'c'].map((holder) => runs.begin(id, 'task', holder)));
    expect(beginnings.map(({ kind }) => kind).sort()).toEqual(['begun', 'held', 'held']);
    expect(await runs.look(id)).toEqual({ kind: 'held' });
  });

  it('frees the run of a vanished holder after one lease, even if the server’s clock is set back', async () => {
    await brief.begin(id, 'task', 'gone');
    const ahead = createScript(`redis.call('HSET', KEYS[1], 'until', redis.call('TIME')[1] * 1000 + 7200000)
redis.call('PERSIST', KEYS[1])`);
    await valkey.run(ahead, `task:${id}`, []);
    expect(await brief.look(id)).toEqual({ kind: 'held' });
    await expect.poll(() => brief.look(id)).toEqual({ kind: 'free' });
    await valkey.run(ahead, `task:${id}`, []);
    expect(await brief.begin(id, 'task', 'next')).toEqual({ kind: 'held' });
    await expect.poll(() => brief.begin(id, 'task', 'next')).toEqual({ kind: 'begun' });
  });

  it('age: starts again when the server’s clock is set back', async () => {
    const ahead = createScript(`redis.call('SET', KEYS[1], redis.call('TIME')[1] * 1000 + 7200000)`);
    await valkey.run(ahead, 'task-since', []);
    expect(await runs.age()).toBe(0);
    await expect.poll(() => runs.age()).toBeGreaterThan(0);
  });

  it('end: keeps the first answer', async () => {
    expect(await runs.look(id)).toEqual({ kind: 'free' });
    await runs.begin(id, 'task', 'a');
    await runs.end(id, 'a', 'first', 'task');
    await runs.end(id, 'b', 'second', 'task');
    expect(await runs.look(id)).toEqual({ kind: 'ended', answer: 'first' });
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'ended', answer: 'first' });
    expect(await runs.get(id)).toBe('task');
  });

  it('end: lets a run begin again if its holder ended it without an answer', async () => {
    await runs.begin(id, 'task', 'a');
    await runs.end(id, 'b', null, 'task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'held' });
    await runs.end(id, 'a', null, 'task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'begun' });
  });

  it('mark: is shown to the next holder, and works for the holder only', async () => {
    await runs.begin(id, 'task', 'a');
    expect(await runs.mark(id, 'b', 'task')).toBe(false);
    await runs.end(id, 'a', null, 'task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'begun' });
    expect(await runs.mark(id, 'b', 'task')).toBe(true);
    await runs.end(id, 'b', null, 'task');
    expect(await runs.begin(id, 'task', 'c')).toEqual({ kind: 'begun', isMarked: true });
  });

  it('mark: refuses a holder that has lost the run, by the server’s clock, and one whose run has ended', async () => {
    await runs.begin(id, 'task', 'a');
    await endLease(valkey, `task:${id}`);
    expect(await runs.mark(id, 'a', 'task')).toBe(false);
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'begun' });
    expect(await runs.mark(id, 'a', 'task')).toBe(false);
    expect(await runs.keep(id, 'a', 'task')).toBe(false);
    // The run is free, but another holder may have told its client that nothing was sent.
    await runs.end(id, 'b', null, 'task');
    expect(await runs.mark(id, 'a', 'task')).toBe(false);
    expect(await runs.begin(id, 'task', 'c')).toEqual({ kind: 'begun' });
    await runs.end(id, 'b', 'answer', 'task');
    expect(await runs.mark(id, 'c', 'task')).toBe(false);
  });

  it('mark: renews the lease, also of a run that the server has lost with its data', async () => {
    await brief.begin(id, 'task', 'a');
    await forget();
    expect(await runs.mark(id, 'a', null)).toBe(false);
    expect(await runs.mark(id, 'a', 'task')).toBe(true);
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'held' });
    await runs.end(id, 'a', null, 'task');
    expect(await runs.begin(id, 'task', 'b')).toEqual({ kind: 'begun', isMarked: true });
  });

  it('begin: takes over a run without a holder, and no other', async () => {
    await brief.begin(id, 'task', 'a');
    await runs.keep(id, 'a', 'task');
    await runs.keep(id, 'b', 'task');
    expect(await brief.begin(id, 'task', 'b')).toEqual({ kind: 'held' });
    const other = randomUUID();
    await brief.begin(other, 'task', 'a');
    await expect.poll(async () => (await brief.begin(other, 'task', 'b')).kind).toBe('begun');
    // A former holder cannot change the new holder's run, but its answer counts.
    await runs.keep(other, 'a', 'task');
    await runs.end(other, 'a', 'late', 'task');
    expect(await runs.begin(other, 'task', 'c')).toEqual({ kind: 'ended', answer: 'late' });
  });

  it('keep: restores a run and its holder after the server has lost its data', async () => {
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

  it('keep: does not take a run from a holder that began it after the server lost its data', async () => {
    await runs.begin(id, 'task', 'a');
    await forget();
    await runs.begin(id, 'task', 'b');
    await runs.keep(id, 'a', 'task');
    await runs.end(id, 'a', null, 'task');
    expect(await runs.begin(id, 'task', 'c')).toEqual({ kind: 'held' });
  });

  it('age: returns since when the server has lost no data', async () => {
    await runs.age();
    await expect.poll(() => runs.age()).toBeGreaterThan(20);
    await forget();
    expect(await runs.age()).toBe(0);
  });

  it('expires what is no longer needed', async () => {
    await fleeting.put(id, 'task');
    await expect.poll(() => runs.get(id)).toBeNull();
    await runs.begin(id, 'task', 'a');
    await fleeting.end(id, 'a', 'answer', 'task');
    await expect.poll(() => runs.get(id)).toBeNull();
  });

  it('rejects with the given sentence while Valkey is gone', async () => {
    const line = await openLine();
    const { valkey: gone } = await openTestValkey(line.url);
    line.cut();
    const refused = createSharedExecutionStore(gone, { ...OPTIONS, leaseMs: 1 }).put(id, 'task');
    await expect(refused).rejects.toThrow(new Unavailable('not now'));
    gone.close();
  });

  async function setUp(): Promise<void> {
    ({ valkey } = await openTestValkey());
    runs = createSharedExecutionStore(valkey, { ...OPTIONS, leaseMs: 60_000 });
    brief = createSharedExecutionStore(valkey, { ...OPTIONS, leaseMs: 50 });
    fleeting = createSharedExecutionStore(valkey, {
      ...OPTIONS,
      leaseMs: 50,
      taskLifeMs: 400,
      answerLifeMs: 50,
    });
  }

  function setUpEach(): void {
    id = randomUUID();
  }

  /** Empties the server, as a restart does. */
  async function forget(): Promise<void> {
    const del = createScript(`redis.call('DEL', KEYS[1])`);
    for (const key of [`task:${id}`, 'task-since']) await valkey.run(del, key, []);
  }
});

const OPTIONS = { kind: 'task', whenLost: 'not now', taskLifeMs: 60_000, answerLifeMs: 60_000 };
