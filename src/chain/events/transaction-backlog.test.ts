import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import type { AddressSignature, SignatureRange } from '../chain.ts';
import { TransactionBacklog } from './transaction-backlog.ts';

describe('TransactionBacklog', () => {
  it('drops the oldest of those that wait, and says so, while a newer list is not at its end', async () => {
    const { land, backlog } = openBacklog(1_500);
    land(900);
    expect(await backlog.list(0n, 1)).toBeNull();
    land(1_700);
    // The 900 and the 1000 newest are 400 too many.
    expect(await backlog.list(0n, 1)).toEqual({ signature: '400', slot: 400n });
    backlog.moveTo({ signature: '400', slot: 400n });
    expect(backlog.length).toBe(1_500);
    expect(backlog.next(1)).toEqual([{ signature: '401', slot: 401n }]);
    // Those between the two lists count too, as soon as they are known.
    expect(await backlog.list(0n, 1)).toEqual({ signature: '1100', slot: 1_100n });
    backlog.moveTo({ signature: '1100', slot: 1_100n });
    expect(backlog.next(2_000).map(({ signature }) => Number(signature))).toEqual(
      Array.from({ length: 1_500 }, (_, index) => 1_101 + index),
    );
  });

  it('drops all that wait for a list that is longer than what may wait', async () => {
    const { land, backlog } = openBacklog(1_500);
    land(900);
    await backlog.list(0n, 1);
    land(5_000);
    expect(await backlog.list(0n, 2)).toEqual({ signature: '4400', slot: 4_400n });
    backlog.moveTo({ signature: '4400', slot: 4_400n });
    expect(backlog.isListed).toBe(true);
    expect(backlog.length).toBe(1_500);
  });
});

/** A backlog of a network on which transactions with the numbers from 1 land, each in the slot of its number. */
function openBacklog(maxLength: number) {
  const landed: AddressSignature[] = [];
  const signaturesOf = async (_address: Address, { limit, before, until }: SignatureRange) => {
    const to = before === undefined ? landed.length : Number(before) - 1;
    return landed.slice(Math.max(Number(until ?? 0), to - limit), to).reverse();
  };
  const chain = { signaturesOf, transaction: async () => null, slot: () => 0n };
  const backlog = new TransactionBacklog({ chain, address: 'program' as Address, maxLength });
  backlog.moveTo({ signature: null, slot: 0n });
  const land = (count: number) => {
    for (let at = 0; at < count; at++) {
      const number = landed.length + 1;
      landed.push({ signature: String(number), slot: BigInt(number) });
    }
  };
  return { land, backlog };
}
