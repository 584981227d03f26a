import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import type { EmbeddedBank } from '../bank/embedded-bank.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import {
  ALICE,
  advance,
  BOB,
  getLamports,
  SOL,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
} from '../../../testing/chain/bank.ts';
import { type Faults, FaultPlan, NO_FAULTS } from './faults.ts';

describe('drop', () => {
  it('loses attempts at random, which are repeated until the blockhash expires', async () => {
    const bank = await bankWith({ drop: 0.5, seed: 3 });
    const signatures = sendMany(bank, 40);
    const atOnce = landed(bank, signatures).length;
    expect(atOnce).toBeGreaterThan(8);
    expect(atOnce).toBeLessThan(32);
    await advance(bank, 5);
    expect(landed(bank, signatures).length).toBeGreaterThan(atOnce);
    await advance(bank, 145);
    expect(landed(bank, signatures)).toHaveLength(40);
  });

  it('makes the requested number of attempts', async () => {
    const bank = await bankWith({ drop: 1 });
    const once = sendMany(bank, 3, 0);
    await advance(bank, 20);
    bank.admin.setFaults(NO_FAULTS);
    await advance(bank, 20);
    expect(landed(bank, once)).toEqual([]);
    bank.admin.setFaults({ ...NO_FAULTS, drop: 1 });
    const twice = sendMany(bank, 2, 1);
    bank.admin.setFaults(NO_FAULTS);
    await advance(bank, 5);
    expect(landed(bank, twice)).toHaveLength(2);
  });

  it('does the same for the same seed', async () => {
    const runs = await Promise.all(
      [5, 5, 6].map(async (seed) => {
        const bank = await bankWith({ drop: 0.5, seed });
        return sendMany(bank, 30, 0).map((signature) => getSignatureStatus(bank, signature) !== null);
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]).not.toEqual(runs[2]);
  });
});

describe('delay and reorder', () => {
  it('land a transaction the given number of slots later', async () => {
    const bank = await bankWith({ delaySlots: 3 });
    const [signature = ''] = sendMany(bank, 1);
    await advance(bank, 2);
    expect(getSignatureStatus(bank, signature)).toBeNull();
    await advance(bank, 1);
    expect(getSignatureStatus(bank, signature)).toMatchObject({ slot: 4n, error: null });
  });

  it('let later ones land first', async () => {
    const bank = await bankWith({ reorderSlots: 4, seed: 1 });
    const signatures = sendMany(bank, 20);
    await advance(bank, 4);
    const slots = signatures.map((signature) => getSignatureStatus(bank, signature)?.slot ?? 0n);
    expect(slots.every((slot) => slot >= 1n && slot <= 5n)).toBe(true);
    expect(slots).not.toEqual([...slots].sort((a, b) => Number(a - b)));
  });
});

describe('congestion', () => {
  it('reports higher fees, and includes only transactions that pay them until it ends', async () => {
    const bank = await bankWith({ congestion: 2_000n });
    const poor = send(bank, signTestTransaction(bank, [ALICE], [setComputeUnitPrice(1_999n), pay(1)]));
    const rich = send(bank, signTestTransaction(bank, [ALICE], [setComputeUnitPrice(2_000n), pay(2)]));
    expect(getSignatureStatus(bank, poor)).toBeNull();
    expect(getSignatureStatus(bank, rich)?.error).toBeNull();
    await advance(bank, 10);
    expect(getSignatureStatus(bank, poor)).toBeNull();
    // Clients look at all of the last slots, most of which were before the congestion in a young network.
    const reported = bank.recentPrioritizationFees([]).map(({ microLamports }) => microLamports);
    expect(new Set(reported)).toEqual(new Set([2_000n]));
    expect(bank.slotPrices(bank.slot('processed'))?.floor).toBe(2_000n);
    bank.admin.setFaults(NO_FAULTS);
    await advance(bank, 1);
    expect(getSignatureStatus(bank, poor)).toMatchObject({ error: null });
    await advance(bank, 1);
    expect(bank.recentPrioritizationFees([]).at(-1)?.microLamports).toBe(0n);
  });

  it('drops waiting transactions when their blockhash expires', async () => {
    const bank = await bankWith({ congestion: 1n });
    const poor = send(bank, signTestTransaction(bank, [ALICE], [pay(1)]));
    await advance(bank, 151);
    bank.admin.setFaults(NO_FAULTS);
    await advance(bank, 10);
    expect(getSignatureStatus(bank, poor)).toBeNull();
  });
});

describe('stale reads', () => {
  it('make every commitment lag', async () => {
    const bank = await openBankForTests();
    await advance(bank, 60);
    send(bank, signTestTransaction(bank, [ALICE], [pay(5)]));
    bank.admin.setFaults({ ...NO_FAULTS, staleReads: 10 });
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL);
    expect([bank.slot('processed'), bank.slot('confirmed'), bank.slot('finalized')]).toEqual([51n, 50n, 19n]);
    expect(bank.blockHeight('processed')).toBe(51n);
    await advance(bank, 9);
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL);
    await advance(bank, 1);
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL + 5n);
    await advance(bank, 31);
    expect(bank.getAccount(BOB.address, 'finalized')?.lamports).toBe(100n * SOL);
    await advance(bank, 1);
    expect(bank.getAccount(BOB.address, 'finalized')?.lamports).toBe(100n * SOL + 5n);
  });
});

describe('setFaults', () => {
  it.each([
    [{ drop: 1.5 }, /drop must be from 0 to 1, got 1.5/],
    [{ drop: Number.NaN }, /drop must be from 0 to 1, got NaN/],
    [{ delaySlots: 151 }, /delaySlots must be a whole number from 0 to 150, got 151/],
    [{ reorderSlots: 0.5 }, /reorderSlots must be a whole number from 0 to 32, got 0.5/],
    [{ congestion: -1n }, /congestion must be from 0 to/],
    [{ staleReads: 33 }, /staleReads must be a whole number from 0 to 32, got 33/],
    [{ seed: -1 }, /seed must be a whole number/],
  ])('refuses %o', async (faults, message) => {
    const bank = await openBankForTests();
    expect(() => bank.admin.setFaults({ ...NO_FAULTS, ...faults })).toThrow(message);
    expect(bank.admin.faults()).toEqual(NO_FAULTS);
  });

  it('is refused in production', async () => {
    const bank = await openBankForTests({ production: true });
    expect(() => bank.admin.setFaults(NO_FAULTS)).toThrow(NetworkRefused);
  });
});

describe('FaultPlan', () => {
  it('drops attempts with about the given probability', () => {
    assertProperty(
      fc.property(fc.nat(0xffff_ffff), fc.double({ min: 0.1, max: 0.9, noNaN: true }), (seed, drop) => {
        const plan = new FaultPlan({ ...NO_FAULTS, seed, drop });
        const drops = Array.from({ length: 2_000 }, () => plan.drops()).filter(Boolean).length;
        expect(Math.abs(drops / 2_000 - drop)).toBeLessThan(0.08);
      }),
      { cases: 100, seed: 11 },
    );
  });
});

const pay = (lamports: number) => transferLamports(ALICE.address, BOB.address, BigInt(lamports));

async function bankWith(faults: Partial<Faults>): Promise<EmbeddedBank> {
  const bank = await openBankForTests();
  bank.admin.setFaults({ ...NO_FAULTS, ...faults });
  return bank;
}

function sendMany(bank: EmbeddedBank, count: number, maxRetries?: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const outcome = bank.submit(signTestTransaction(bank, [ALICE], [pay(i + 1)]), {
      preflight: null,
      ...(maxRetries === undefined ? {} : { maxRetries }),
    });
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    return outcome.signature;
  });
}

const landed = (bank: EmbeddedBank, signatures: readonly string[]) =>
  signatures.filter((signature) => getSignatureStatus(bank, signature) !== null);
