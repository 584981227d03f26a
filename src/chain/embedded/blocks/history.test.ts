import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import { memo } from '../../../solana/programs/memo.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import {
  ALICE,
  advance,
  BOB,
  collectEvents,
  FAUCET,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
  createTestKey,
} from '../../../testing/chain/bank.ts';
import { type HistoryEntry, TransactionHistory } from './history.ts';

describe('TransactionHistory', () => {
  it('behaves like a list of the newest entries', () => {
    const anyEntries = fc.array(fc.subarray(ADDRESSES), { maxLength: 40 });
    assertProperty(
      fc.property(anyEntries, fc.integer({ min: 1, max: 20 }), fc.context(), (all, capacity, context) => {
        const history = new TransactionHistory(capacity);
        const entries = all.map((addresses, order) => entry(order, addresses));
        for (const added of entries) history.add(added);
        const kept = entries.slice(-capacity).reverse();
        expect(history.size).toBe(kept.length);
        expect([...history.entries()]).toEqual([...kept].reverse());
        for (const address of ADDRESSES) {
          const own = kept.filter(({ addresses }) => addresses.includes(address));
          const query = { slot: 5n, limit: 4, before: kept[2] ?? null, until: kept[9] ?? null };
          const expected = own.filter(
            (found) =>
              found.slot <= 5n &&
              (kept[2] === undefined || kept.indexOf(found) > 2) &&
              (kept[9] === undefined || kept.indexOf(found) < 9),
          );
          context.log(address);
          expect(history.ofAddress(address, query)).toEqual(expected.slice(0, 4));
        }
      }),
      { cases: 300, seed: 5, against: 'a list' },
    );
  });

  it('never claims, once restored, to be complete from an earlier slot than before', () => {
    for (let count = 1; count <= 40; count++) {
      const history = new TransactionHistory(9);
      for (let order = 0; order < count; order++) history.add(entry(order, []));
      const restored = new TransactionHistory(9);
      restored.restore(history.entries());
      expect(restored.completeFrom).toBeGreaterThanOrEqual(history.completeFrom);
      const oldest = [...history.entries()][0]?.slot ?? 0n;
      expect(restored.completeFrom).toBeLessThanOrEqual(oldest + 1n);
      if (count < 9) expect(restored.completeFrom).toBe(0n);
    }
  });

  function entry(order: number, addresses: HistoryEntry['addresses']): HistoryEntry {
    return {
      signature: `s${order}`,
      slot: BigInt(Math.floor(order / 3)),
      index: order % 3,
      blockTime: 0n,
      error: null,
      memo: null,
      addresses,
      encoded: new Uint8Array(0),
    };
  }
});

describe('the transactions of an address', () => {
  it('are returned newest first, in pages, at a commitment, with memos', async () => {
    const bank = await openBankForTests();
    const signatures: string[] = [];
    for (let i = 0; i < 6; i++) {
      const pay = transferLamports(ALICE.address, BOB.address, BigInt(i + 1));
      signatures.unshift(
        send(bank, signTestTransaction(bank, [ALICE], i === 5 ? [pay, memo('two'), memo('words ✓')] : [pay])),
      );
      if (i % 2 === 1) await bank.advanceSlot();
    }
    const pending = send(bank, signTestTransaction(bank, [ALICE], [memo('later')]));
    const page = (changed: object) =>
      bank.signaturesForAddress(BOB.address, { commitment: 'confirmed', limit: 1_000, ...changed });
    expect(page({}).map(({ signature }) => signature)).toEqual(signatures);
    expect(page({})[0]).toMatchObject({
      slot: 3n,
      memo: '[3] two; [9] words ✓',
      error: null,
      commitment: 'confirmed',
    });
    expect(page({ limit: 2 }).map(({ signature }) => signature)).toEqual(signatures.slice(0, 2));
    expect(page({ before: signatures[1], until: signatures[4] }).map(({ signature }) => signature)).toEqual(
      signatures.slice(2, 4),
    );
    expect(page({ before: 'unknown' })).toEqual([]);
    expect(page({ until: 'unknown' })).toHaveLength(6);
    expect(page({ commitment: 'finalized' })).toEqual([]);
    expect(bank.transaction(pending, 'confirmed')).toBeNull();
    await advance(bank, 40);
    expect(page({ commitment: 'finalized' })).toHaveLength(6);
    expect(bank.signaturesForAddress(FAUCET.address, { commitment: 'confirmed', limit: 5 })).toEqual([]);
  });

  it('are limited, but the status of a recent one is known longer', async () => {
    const bank = await openBankForTests({ historyCapacity: 5 });
    const signatures = Array.from({ length: 8 }, (_, i) =>
      send(bank, signTestTransaction(bank, [ALICE], [memo(String(i))])),
    );
    await bank.advanceSlot();
    expect(bank.transaction(signatures[2] ?? '', 'confirmed')).toBeNull();
    expect(bank.transaction(signatures[3] ?? '', 'confirmed')).not.toBeNull();
    expect(getSignatureStatus(bank, signatures[0] ?? '')?.commitment).toBe('confirmed');
    await advance(bank, 160);
    expect(getSignatureStatus(bank, signatures[0] ?? '')).toBeNull();
    expect(bank.signatureStatuses([signatures[7] ?? ''], false).value).toEqual([null]);
    expect(getSignatureStatus(bank, signatures[7] ?? '')?.commitment).toBe('finalized');
  });
});

describe('the events of a bank', () => {
  it('report each transaction and slot at each commitment', async () => {
    const bank = await openBankForTests();
    const events = collectEvents(bank);
    const signature = send(
      bank,
      signTestTransaction(bank, [ALICE], [transferLamports(ALICE.address, BOB.address, 1n)]),
    );
    await bank.advanceSlot();
    expect(events.map(({ kind }) => kind)).toEqual(['received', 'transaction', 'slot', 'commitment']);
    const [, , slot, confirmed] = events;
    expect(slot).toEqual({ kind: 'slot', slot: 2n, parent: 1n, root: 0n });
    if (confirmed?.kind !== 'commitment') throw new Error('a commitment expected');
    expect(confirmed).toMatchObject({ commitment: 'confirmed', slot: 1n });
    expect(confirmed.transactions.map((transaction) => transaction.signature)).toEqual([signature]);
    expect(confirmed.transactions[0]?.record()).toEqual(bank.transaction(signature, 'confirmed'));
    let changed: string[] = [];
    bank.subscribe((event) => {
      if (event.kind !== 'commitment' || event.commitment !== 'finalized' || event.slot !== 1n) return;
      changed = event.changes.map(({ address }) => address);
      expect(event.changes.every((change) => change.slot === 1n)).toBe(true);
    });
    await advance(bank, 31);
    expect(changed).toEqual(expect.arrayContaining([ALICE.address, BOB.address]));
  });
});

describe('recentPrioritizationFees', () => {
  it('are the highest of the lowest prices that landed, by slot', async () => {
    const bank = await openBankForTests();
    const priced = (price: bigint, to: typeof BOB) =>
      signTestTransaction(
        bank,
        [ALICE],
        [setComputeUnitPrice(price), transferLamports(ALICE.address, to.address, 1_000_000n)],
      );
    send(bank, priced(50n, BOB));
    send(bank, priced(70n, FAUCET));
    await bank.advanceSlot();
    send(bank, priced(20n, BOB));
    const fees = (addresses: Parameters<typeof bank.recentPrioritizationFees>[0]) =>
      bank.recentPrioritizationFees(addresses).map(({ slot, microLamports }) => [slot, microLamports]);
    expect(fees([])).toEqual([
      [1n, 50n],
      [2n, 20n],
    ]);
    expect(fees([FAUCET.address])).toEqual([
      [1n, 70n],
      [2n, 20n],
    ]);
    await advance(bank, 160);
    expect(fees([])).toHaveLength(150);
    expect(fees([])[0]).toEqual([13n, 0n]);
  });
});

const ADDRESSES = Array.from({ length: 4 }, (_, i) => createTestKey(120 + i).address);
