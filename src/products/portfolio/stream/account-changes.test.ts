import { expect, it } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import { runAs } from '../../../common/party.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { AccountChanges } from './account-changes.ts';

it('leaves accounts to watch for others, however many streams one organisation opens', () => {
  const changes = new AccountChanges({
    chain: { slot: () => 1n, watchAccounts: () => () => undefined },
    timers: new ManualTimers(),
    refreshMs: 10_000,
  });
  const follow = (id: string) => {
    const before = changes.watched;
    const watch = runAs({ kind: 'organisation', id }, () => changes.watch());
    // What a stream asks for later is still its caller's.
    watch.follow(ACCOUNTS);
    return { count: changes.watched - before, close: () => watch.close() };
  };
  const streams = Array.from({ length: 100 }, () => follow('acme'));
  expect(changes.watched).toBe(4_000);
  const other = follow('other');
  expect(other.count).toBe(100);
  for (const { close } of [...streams, other]) close();
  expect(changes.watched).toBe(0);
});

const ACCOUNTS: readonly Address[] = Array.from({ length: 100 }, (_, index) =>
  toAddress(new Uint8Array(32).fill(index + 1)),
);
