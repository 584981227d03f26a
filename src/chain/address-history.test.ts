import { describe, expect, it } from 'vitest';
import type { Address } from '../solana/address.ts';
import { hasBegunAgain, listSignaturesAfter, readListedTransactions } from './address-history.ts';
import type { AddressSignature, Chain, SignatureRange } from './chain.ts';
import type { LandedTransaction } from './landed-transactions.ts';

describe('listSignaturesAfter', () => {
  it('lists page after page up to the cursor', async () => {
    const chain = createHistory(2_500);
    const cursor = { signature: 'transaction 100', slot: 100n };
    const listed = await listSignaturesAfter(chain, address, cursor, { maxPages: 3, asOf: 2_500n });
    expect(listed.isComplete).toBe(true);
    expect(listed.signatures).toHaveLength(2_400);
    expect(listed.signatures.at(-1)).toEqual({ signature: 'transaction 101', slot: 101n });
    expect(chain.asked).toEqual([
      { limit: 1_000, until: 'transaction 100', asOf: 2_500n },
      { limit: 1_000, until: 'transaction 100', asOf: 2_500n, before: 'transaction 1501' },
      { limit: 1_000, until: 'transaction 100', asOf: 2_500n, before: 'transaction 501' },
    ]);
  });

  it('says that there is more than so many pages, and goes on before the last one', async () => {
    const chain = createHistory(2_500);
    const cursor = { signature: null, slot: 0n };
    const first = await listSignaturesAfter(chain, address, cursor, { maxPages: 1 });
    expect([first.isComplete, first.signatures.length]).toEqual([false, 1_000]);
    const before = first.signatures.at(-1)?.signature;
    const rest = await listSignaturesAfter(chain, address, cursor, { maxPages: 2, before });
    expect([rest.isComplete, rest.signatures.length]).toEqual([true, 1_500]);
  });

  it('leaves older slots out when the network has forgotten the cursor', async () => {
    const cursor = { signature: 'forgotten', slot: 2_490n };
    const listed = await listSignaturesAfter(createHistory(2_500), address, cursor, { maxPages: 9 });
    expect(listed.signatures).toHaveLength(11);
  });
});

describe('readListedTransactions', () => {
  const listed = [1, 2, 3].map((slot) => ({ signature: `transaction ${slot}`, slot: BigInt(slot) }));

  it('returns null for what is lost, and fails for what may still come', async () => {
    const readAt = (slot: bigint) =>
      readListedTransactions(
        {
          slot: () => slot,
          transaction: async (signature) =>
            signature === 'transaction 2' ? null : ({ signature } as LandedTransaction),
        },
        listed,
      );
    await expect(readAt(1_502n)).rejects.toThrow('lists transaction transaction 2, but does not have it yet');
    expect(await readAt(1_503n)).toEqual([
      { signature: 'transaction 1' },
      null,
      { signature: 'transaction 3' },
    ]);
  });
});

describe('hasBegunAgain', () => {
  const NOW = 1_800_000_000_000;
  const at = (
    slot: bigint,
    { reason = null, late = 0n }: { reason?: string | null; late?: bigint } = {},
  ) => ({
    slot: () => slot,
    unhealthy: () => reason,
    clock: () => ({ slot, epoch: 0n, unixTimestamp: 1_800_000_000n - late }),
  });
  const cursor = { slot: 2_000n };

  it('holds for a network of one`s own that is behind the cursor', () => {
    expect(hasBegunAgain(at(2_000n), cursor, true, NOW)).toBe(false);
    expect(hasBegunAgain(at(1_999n, { late: 900n }), cursor, true, NOW)).toBe(true);
  });

  it('holds for a node that is further behind than a node can lag, unless it says that it is ill', () => {
    expect(hasBegunAgain(at(500n), cursor, false, NOW)).toBe(false);
    expect(hasBegunAgain(at(499n), cursor, false, NOW)).toBe(true);
    expect(hasBegunAgain(at(499n, { late: 60n }), cursor, false, NOW)).toBe(true);
    expect(() => hasBegunAgain(at(499n, { reason: 'it lags' }), cursor, false, NOW)).toThrow('it lags');
  });

  it('does not hold for a node that has an old clock, because it lags, whatever it says of itself', () => {
    expect(() => hasBegunAgain(at(499n, { late: 61n }), cursor, false, NOW)).toThrow(
      'the node is at slot 499, 1501 slots behind what was recorded, and its clock is 61 seconds late',
    );
    expect(hasBegunAgain(at(500n, { late: 600n }), cursor, false, NOW)).toBe(false);
  });
});

const address = 'address' as Address;

/** Transactions 1 to `count`, each in a slot of its number. */
function createHistory(count: number) {
  const newestFirst: AddressSignature[] = Array.from({ length: count }, (_, at) => ({
    signature: `transaction ${count - at}`,
    slot: BigInt(count - at),
  }));
  const asked: SignatureRange[] = [];
  const signaturesOf: Chain['signaturesOf'] = async (_, range) => {
    asked.push(range);
    const at = (signature: string | undefined) =>
      newestFirst.findIndex((each) => each.signature === signature);
    const end = at(range.until);
    return newestFirst.slice(at(range.before) + 1, end < 0 ? undefined : end).slice(0, range.limit);
  };
  return { signaturesOf, asked };
}
