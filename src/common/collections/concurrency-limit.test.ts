import { describe, expect, it } from 'vitest';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { type Party, runAs } from '../party.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

describe('ConcurrencyLimit', () => {
  it('gives each party its turn, however many calls of another wait', async () => {
    const acme = ['a1', 'a2', 'a3', 'a4'].map((name) => [ACME, name] as const);
    expect(await recordCallOrder([...acme, [OTHER, 'o1'], [OTHER, 'o2']])).toEqual([
      'a1',
      'a2',
      'o1',
      'a3',
      'o2',
      'a4',
    ]);
  });

  it('gives clients without a key one turn together', async () => {
    const clients = ['c1', 'c2', 'c3'].map((name) => [client(name), name] as const);
    expect(await recordCallOrder([...clients, [ACME, 'a1'], [ACME, 'a2']])).toEqual([
      'c1',
      'c2',
      'a1',
      'c3',
      'a2',
    ]);
  });

  it('leaves a part of the queue to others', async () => {
    const limit = new ConcurrencyLimit(1, 10, () => new Error('full'));
    const running = limit.run(false, yieldToOtherWork);
    const wait = (party: Party) => runAs(party, () => limit.run(false, async () => 'done'));
    const acme = Promise.allSettled(Array.from({ length: 20 }, () => wait(ACME)));
    const other = wait(OTHER);
    await running;
    expect((await acme).filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
    expect(await other).toBe('done');
  });

  it('lets urgent calls pass all others, and refuses none of them', async () => {
    const limit = new ConcurrencyLimit(1, 1, () => new Error('full'));
    const began: string[] = [];
    const run = (urgent: boolean, name: string) =>
      limit.run(urgent, async () => {
        began.push(name);
        await yieldToOtherWork();
      });
    await Promise.all([run(false, 'first'), run(false, 'waits'), run(true, 'u1'), run(true, 'u2')]);
    expect(began).toEqual(['first', 'u1', 'u2', 'waits']);
  });
});

const ACME: Party = { kind: 'organisation', id: 'acme' };
const OTHER: Party = { kind: 'organisation', id: 'other' };
const client = (id: string): Party => ({ kind: 'client', id });

/** Runs calls that end one after the other, and returns in which order they began. */
async function recordCallOrder(calls: readonly (readonly [Party, string])[]): Promise<string[]> {
  const limit = new ConcurrencyLimit(1, 100, () => new Error('full'));
  const began: string[] = [];
  await Promise.all(
    calls.map(([party, name]) =>
      runAs(party, () =>
        limit.run(false, async () => {
          began.push(name);
          await yieldToOtherWork();
        }),
      ),
    ),
  );
  return began;
}
