import { describe, expect, it } from 'vitest';
import { transferLamports } from '../../../solana/programs/system.ts';
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

describe('a transfer', () => {
  it('is visible at once to processed reads, then confirmed, then finalized', async () => {
    const bank = await openBankForTests();
    const signature = send(
      bank,
      signTestTransaction(bank, [ALICE], [transferLamports(ALICE.address, BOB.address, SOL)]),
    );
    expect(getLamports(bank, BOB.address)).toBe(101n * SOL);
    expect(getLamports(bank, ALICE.address)).toBe(99n * SOL - 5000n);
    expect(bank.getAccount(BOB.address, 'confirmed')?.lamports).toBe(100n * SOL);
    expect(getSignatureStatus(bank, signature)).toEqual({
      slot: 1n,
      confirmations: 0,
      commitment: 'processed',
      error: null,
    });
    await bank.advanceSlot();
    expect(bank.getAccount(BOB.address, 'confirmed')?.lamports).toBe(101n * SOL);
    expect(bank.getAccount(BOB.address, 'finalized')?.lamports).toBe(100n * SOL);
    expect(getSignatureStatus(bank, signature)).toEqual({
      slot: 1n,
      confirmations: 1,
      commitment: 'confirmed',
      error: null,
    });
    await advance(bank, 30);
    expect(getSignatureStatus(bank, signature)?.commitment).toBe('confirmed');
    await advance(bank, 1);
    expect(getSignatureStatus(bank, signature)).toEqual({
      slot: 1n,
      confirmations: null,
      commitment: 'finalized',
      error: null,
    });
    expect(bank.getAccount(BOB.address, 'finalized')?.lamports).toBe(101n * SOL);
  });
});
