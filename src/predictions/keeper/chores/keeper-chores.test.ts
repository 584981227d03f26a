import { describe, expect, it } from 'vitest';
import { numbered } from '../../../testing/test-tokens.ts';
import { ManualTimers } from '../../../testing/timers.ts';
import { type Chore, KeeperChores, MAX_CHORES } from './keeper-chores.ts';

describe('KeeperChores', () => {
  it('posts results however many chores of wallets do not succeed', () => {
    const chores = new KeeperChores({
      sender: { run: async () => ({ kind: 'unknown' }) },
      timers: new ManualTimers(),
      mayGoOn: () => false,
      onOutcome: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
    for (let number = 0; number <= MAX_CHORES; number++) chores.add(createChore('claim', number));
    expect(chores.size).toBe(MAX_CHORES);
    chores.add(createChore('result', MAX_CHORES + 1));
    expect(chores.size).toBe(MAX_CHORES + 1);
  });
});

function createChore(kind: Chore['kind'], number: number): Chore {
  const account = numbered(number);
  return { kind, account, wallet: account, compose: async () => null };
}
