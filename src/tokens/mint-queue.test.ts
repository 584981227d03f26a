import { expect, it } from 'vitest';
import { ManualTimers } from '../testing/timers.ts';
import { getCurrentWorker, runAs } from '../common/party.ts';
import { MintQueue } from './mint-queue.ts';
import { numbered } from '../testing/test-tokens.ts';

it('reads the mints of everybody with Sluice’s own calls, whoever has added the first one', async () => {
  const workers: unknown[] = [];
  const queue = new MintQueue({
    timers: new ManualTimers(),
    read: async () => {
      workers.push(getCurrentWorker());
    },
    has: () => false,
    onDefect: (error) => {
      throw error;
    },
  });
  runAs({ kind: 'client', id: 'stranger' }, () => queue.addAgain(numbered(1)));
  await queue.settled();
  expect(workers).toEqual(['own']);
});
