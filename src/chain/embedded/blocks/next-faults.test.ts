import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import {
  ALICE,
  advance,
  BOB,
  getLamports,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
  createTestKey,
} from '../../../testing/chain/bank.ts';
import { NetworkRefused, type Bank } from '../ledger/bank.ts';
import type { NextFault } from './next-faults.ts';

describe('a fault of the next transactions', () => {
  it('drops the given number of transactions, also when they are sent again, and lists them', async () => {
    const bank = await openBankForTests();
    bank.admin.faultNext({ ...NEXT, count: 2 });
    const wires = [1, 2, 3].map((lamports) => pay(bank, lamports));
    const signatures = wires.map((wire) => send(bank, wire));
    for (const wire of wires.slice(0, 2)) send(bank, wire);
    await advance(bank, 20);
    expect(signatures.map((signature) => getSignatureStatus(bank, signature)?.error)).toEqual([
      undefined,
      undefined,
      null,
    ]);
    const { waiting, struck } = bank.admin.nextFaults();
    expect(waiting).toEqual([]);
    expect(struck).toMatchObject(signatures.slice(0, 2).map((signature) => ({ effect: 'drop', signature })));
  });

  it('delays by slots, however often the transaction is sent', async () => {
    const bank = await openBankForTests();
    bank.admin.faultNext({ ...NEXT, effect: 'delay', slots: 5 });
    const wire = pay(bank, 1);
    const signature = send(bank, wire);
    await advance(bank, 4);
    send(bank, wire);
    expect(getSignatureStatus(bank, signature)).toBeNull();
    await advance(bank, 1);
    expect(getSignatureStatus(bank, signature)?.error).toBeNull();
  });

  it('fails on chain with the code, takes the fee, and changes nothing else', async () => {
    const bank = await openBankForTests();
    const [alice, bob] = [getLamports(bank, ALICE.address), getLamports(bank, BOB.address)];
    bank.admin.faultNext({ ...NEXT, effect: 'fail', code: 6_001 });
    const signature = send(bank, pay(bank, 7));
    expect(getSignatureStatus(bank, signature)?.error).toEqual({ InstructionError: [0, { Custom: 6_001 }] });
    expect(getLamports(bank, ALICE.address)).toBe(alice - 5_000n);
    expect(getLamports(bank, BOB.address)).toBe(bob);
    const next = send(bank, pay(bank, 8));
    expect(getSignatureStatus(bank, next)?.error).toBeNull();
    expect(getLamports(bank, BOB.address)).toBe(bob + 8n);
    await advance(bank, 2);
    expect(bank.unhealthy()).toBeNull();
  });

  it('affects only transactions of the wallet and to the program', async () => {
    const bank = await openBankForTests();
    bank.admin.faultNext({ ...NEXT, wallet: createTestKey(9).address });
    bank.admin.faultNext({ ...NEXT, program: ALICE.address });
    expect(getSignatureStatus(bank, send(bank, pay(bank, 1)))?.error).toBeNull();
    bank.admin.faultNext({ ...NEXT, wallet: ALICE.address, program: SYSTEM_PROGRAM });
    expect(getSignatureStatus(bank, send(bank, pay(bank, 2)))).toBeNull();
    expect(bank.admin.nextFaults().waiting).toHaveLength(2);
    bank.admin.clearNextFaults();
    expect(bank.admin.nextFaults()).toEqual({ waiting: [], struck: [] });
  });

  it.each([
    [{ count: 0 }, 'count must be a whole number from 1 to 1000, got 0'],
    [{ effect: 'delay' as const, slots: 151 }, 'slots must be a whole number from 1 to 150, got 151'],
    [{ effect: 'fail' as const, code: 2 ** 32 }, 'code must be a whole number from 0 to 4294967295'],
  ])('is refused as %j', async (change, message) => {
    const bank = await openBankForTests();
    expect(() => bank.admin.faultNext({ ...NEXT, ...change })).toThrow(NetworkRefused);
    expect(() => bank.admin.faultNext({ ...NEXT, ...change })).toThrow(message);
  });
});

const NEXT: NextFault = { effect: 'drop', count: 1, wallet: null, program: null, slots: 0, code: 0 };
const pay = (bank: Bank, lamports: number) =>
  signTestTransaction(bank, [ALICE], [transferLamports(ALICE.address, BOB.address, BigInt(lamports))]);
