import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yieldToOtherWork } from '../../../testing/waits.ts';
import { assertProperty } from '../../../testing/random.ts';
import type { AccountUpdate } from '../../accounts.ts';
import { createTestKey, createWalletAccount } from '../../../testing/chain/bank.ts';
import { AccountBook } from './account-book.ts';

describe('AccountBook', () => {
  it('prefers a notification to a read of the same slot, and the later of two notifications', async () => {
    const { book, batches } = watchedBook();
    book.applyNotification(at(5n, 50n));
    expect(book.applyRead(at(5n, 49n))).toMatchObject({ account: { lamports: 50n } });
    book.applyNotification(at(5n, 51n));
    await yieldToOtherWork();
    expect(batches).toEqual([[at(5n, 51n)]]);
  });

  it('notifies once per turn of the event loop, and only of changes', async () => {
    const { book, batches } = watchedBook();
    book.applyRead(at(5n, 50n));
    await yieldToOtherWork();
    const { account } = batches[0]?.[0] ?? {};
    expect(book.applyRead(at(9n, 50n)).account).toBe(account);
    await yieldToOtherWork();
    expect(batches).toHaveLength(1);
    book.applyNotification(at(8n, 1n));
    await yieldToOtherWork();
    expect(batches).toHaveLength(1);
  });

  it('returns accounts that are not watched without storing them', () => {
    const book = new AccountBook();
    expect(book.applyRead(at(5n, 50n))).toEqual(at(5n, 50n));
    expect(book.applyRead(at(4n, 40n))).toEqual(at(4n, 40n));
    expect(book.size).toBe(0);
  });

  it('ends with a state of the newest slot for any order of updates, and never notifies of an older one', async () => {
    const anyUpdate = fc.tuple(fc.bigInt(0n, 9n), fc.bigInt(1n, 5n), fc.boolean());
    await assertProperty(
      fc.asyncProperty(fc.array(anyUpdate, { minLength: 1, maxLength: 30 }), async (updates) => {
        const { book, batches } = watchedBook();
        for (const [slot, lamports, wasTold] of updates) {
          if (wasTold) book.applyNotification(at(slot, lamports));
          else book.applyRead(at(slot, lamports));
          if (lamports === 5n) await yieldToOtherWork();
        }
        await yieldToOtherWork();
        const slots = batches.flat().map(({ slot }) => slot);
        expect(slots).toEqual([...slots].sort((one, other) => Number(one - other)));
        const newest = updates
          .map(([slot]) => slot)
          .sort((one, other) => Number(one - other))
          .at(-1);
        expect(book.get(ADDRESS)?.known?.slot).toBe(newest);
        const last = batches.flat().at(-1)?.account?.lamports;
        expect(last).toBe(book.get(ADDRESS)?.known?.account?.lamports);
      }),
      { cases: 200, seed: 11 },
    );
  });
});

const ADDRESS = createTestKey(1).address;
const at = (slot: bigint, lamports: bigint): AccountUpdate => ({
  address: ADDRESS,
  slot,
  account: createWalletAccount(lamports),
});

function watchedBook() {
  const book = new AccountBook();
  const batches: (readonly AccountUpdate[])[] = [];
  book.watch(ADDRESS, (updates) => batches.push(updates));
  return { book, batches };
}
