import { describe, expect, it } from 'vitest';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSVAR_CLOCK } from '../../../solana/program-addresses.ts';
import {
  createLookupTable,
  extendLookupTable,
  deriveLookupTableAddress,
} from '../../../solana/messages/lookup-table.ts';
import { memo } from '../../../solana/programs/memo.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import type { Bank, SimulateOptions } from '../ledger/bank.ts';
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
  createTestKey,
} from '../../../testing/chain/bank.ts';

describe('simulateTransaction', () => {
  it('returns the effects of a transaction without applying them', async () => {
    const bank = await openBankForTests();
    const wire = signTestTransaction(bank, [ALICE], [pay(SOL), memo('hi')]);
    const accounts = [BOB.address, CARL.address, ALICE.address];
    const simulation = simulate(bank, wire, { accounts });
    expect(simulation).toMatchObject({
      error: null,
      fee: 5_000n,
      preBalances: expect.arrayContaining([100n * SOL]),
      postBalances: expect.arrayContaining([101n * SOL, 99n * SOL - 5_000n]),
      replacementBlockhash: null,
      loadedAddresses: { writable: [], readonly: [] },
    });
    expect(simulation.accounts.map((account) => account?.lamports)).toEqual([
      101n * SOL,
      undefined,
      99n * SOL - 5_000n,
    ]);
    expect(simulation.logs.some((line) => line.includes('hi'))).toBe(true);
    expect(simulation.loadedAccountsDataSize).toBeGreaterThan(2_304);
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL);
    const signature = send(bank, wire);
    await bank.advanceSlot();
    const record = bank.transaction(signature, 'confirmed');
    expect(record).toMatchObject({ unitsConsumed: simulation.unitsConsumed, logs: simulation.logs });
    expect(record?.postBalances).toEqual(simulation.postBalances);
  });

  it('returns no accounts of a failing transaction, and subtracts the fee from its balances', async () => {
    const bank = await openBankForTests();
    const simulation = simulate(bank, signTestTransaction(bank, [ALICE], [pay(1_000n * SOL)]), {
      accounts: [BOB.address],
    });
    expect(simulation.error).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(simulation.accounts).toEqual([null]);
    expect(simulation.postBalances[0]).toBe(100n * SOL - 5_000n);
    expect(simulation.logs.at(-1)).toMatch(/failed/);
  });

  it('works without signatures and without a valid blockhash on request', async () => {
    const bank = await openBankForTests();
    const wire = signTestTransaction(bank, [ALICE], [pay(1n)], { blockhash: new Uint8Array(32).fill(3) });
    wire.fill(0, 1, 65);
    expect(simulate(bank, wire).error).toBe('SignatureFailure');
    expect(simulate(bank, wire, { verifySignatures: false }).error).toBe('BlockhashNotFound');
    expect(simulate(bank, wire, { verifySignatures: false }).fee).toBeNull();
    const replaced = simulate(bank, wire, { verifySignatures: false, replaceBlockhash: true });
    const { blockhash, lastValidBlockHeight } = bank.latestBlockhash('processed').value;
    expect(replaced).toMatchObject({
      error: null,
      fee: 5_000n,
      replacementBlockhash: { blockhash, lastValidBlockHeight },
    });
    const legacy = signTestTransaction(bank, [ALICE], [pay(1n)], {
      blockhash: new Uint8Array(32),
      version: 'legacy',
    });
    expect(simulate(bank, legacy, { verifySignatures: false, replaceBlockhash: true }).error).toBeNull();
  });

  it('recognises a transaction that was included before', async () => {
    const bank = await openBankForTests();
    const wire = signTestTransaction(bank, [ALICE], [pay(1n)]);
    send(bank, wire);
    expect(simulate(bank, wire).error).toBe('AlreadyProcessed');
  });

  it('uses the accounts of the commitment, and does not change the current ones', async () => {
    const bank = await openBankForTests();
    await advance(bank, 40);
    bank.requestAirdrop(CARL.address, SOL);
    const fromCarl = transferLamports(CARL.address, BOB.address, 1n);
    const { value } = bank.latestBlockhash('finalized');
    const wire = signTestTransaction(bank, [CARL], [fromCarl], { blockhash: value.bytes });
    const errorAt = (commitment: SimulateOptions['commitment']) => simulate(bank, wire, { commitment }).error;
    expect([errorAt('finalized'), errorAt('confirmed'), errorAt('processed')]).toEqual([
      'AccountNotFound',
      'AccountNotFound',
      null,
    ]);
    await bank.advanceSlot();
    expect([errorAt('finalized'), errorAt('confirmed')]).toEqual(['AccountNotFound', null]);
    expect(getSignatureStatus(bank, send(bank, wire))?.error).toBeNull();
    expect(getLamports(bank, CARL.address)).toBe(SOL - 5_001n);
  });
});

describe('simulateOutcome', () => {
  it('returns what a whole simulation returns of the same fields', async () => {
    const bank = await openBankForTests();
    await advance(bank, 40);
    bank.requestAirdrop(CARL.address, SOL);
    const old = { blockhash: new Uint8Array(32).fill(3) };
    const wires = [
      signTestTransaction(bank, [ALICE], [pay(SOL), memo('hi')]),
      signTestTransaction(bank, [ALICE], [pay(1n)], { version: 'legacy' }),
      signTestTransaction(bank, [ALICE], [pay(1_000n * SOL)]),
      signTestTransaction(bank, [CARL], [transferLamports(CARL.address, BOB.address, 1n)]),
      signTestTransaction(
        bank,
        [createTestKey(111)],
        [transferLamports(createTestKey(111).address, BOB.address, 1n)],
      ),
      signTestTransaction(
        bank,
        [ALICE, CARL],
        [pay(2n), transferLamports(CARL.address, BOB.address, 5n)],
        old,
      ),
    ];
    send(bank, wires[0] as Uint8Array);
    const errors = new Set<string>();
    for (const wire of wires) {
      for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
        for (const replaceBlockhash of [true, false]) {
          const accounts = [BOB.address, createTestKey(112).address, CARL.address];
          const options = { commitment, verifySignatures: !replaceBlockhash, replaceBlockhash, accounts };
          const whole = simulate(bank, wire, options);
          const outcome = bank.simulateOutcome(wire, options);
          if (outcome.kind === 'malformed') throw new Error(outcome.reason);
          const { error, logs, unitsConsumed, returnData, preBalances, postBalances } = whole;
          const feePayer = { before: preBalances[0], after: postBalances[0] };
          expect(outcome).toEqual({
            kind: 'simulated',
            slot: bank.slot(commitment),
            simulation: {
              error,
              logs,
              unitsConsumed,
              returnData,
              accounts: error === null ? whole.accounts : [],
              feePayer: error === null ? feePayer : null,
            },
          });
          errors.add(JSON.stringify(error));
        }
      }
    }
    for (const error of ['null', '"AlreadyProcessed"', '"BlockhashNotFound"', '"AccountNotFound"']) {
      expect(errors).toContain(error);
    }
    expect(bank.simulateOutcome(new Uint8Array(3), { ...EVERYTHING, accounts: [] }).kind).toBe('malformed');
  });
});

describe('a lookup table', () => {
  it('can be created, extended and used, but not in the slot in which it was extended', async () => {
    const bank = await openBankForTests();
    await advance(bank, 3);
    const recent = bank.slot('confirmed');
    const { address: table } = deriveLookupTableAddress(ALICE.address, recent);
    const grow = extendLookupTable({
      table,
      authority: ALICE.address,
      payer: ALICE.address,
      addresses: [BOB.address, CARL.address, SYSVAR_CLOCK],
    });
    const made = send(
      bank,
      signTestTransaction(bank, [ALICE], [createLookupTable(ALICE.address, ALICE.address, recent), grow]),
    );
    expect(getSignatureStatus(bank, made)?.error).toBeNull();
    expect(bank.getAccount(table, 'processed')?.owner).toBe(ADDRESS_LOOKUP_TABLE_PROGRAM);
    const lookupTables = { [table]: [BOB.address, CARL.address, SYSVAR_CLOCK] };
    const payBoth = [pay(SOL), transferLamports(ALICE.address, CARL.address, computeRentExemptMinimum(0))];
    const tooEarly = signTestTransaction(bank, [ALICE], payBoth, { lookupTables });
    expect(simulate(bank, tooEarly).error).toBe('InvalidAddressLookupTableIndex');
    expect(getSignatureStatus(bank, send(bank, tooEarly))).toBeNull();
    await bank.advanceSlot();
    const wire = signTestTransaction(bank, [ALICE], payBoth, { lookupTables });
    const simulation = simulate(bank, wire, { accounts: [CARL.address] });
    expect(simulation.error).toBeNull();
    expect(simulation.loadedAddresses).toEqual({ writable: [BOB.address, CARL.address], readonly: [] });
    const signature = send(bank, wire);
    await bank.advanceSlot();
    const record = bank.transaction(signature, 'confirmed');
    expect(record).toMatchObject({ error: null, loadedAddresses: simulation.loadedAddresses });
    expect(record?.staticAddresses).toHaveLength(2);
    expect(record?.postBalances.slice(2)).toEqual([101n * SOL, computeRentExemptMinimum(0)]);
    const ofCarl = bank.signaturesForAddress(CARL.address, { commitment: 'confirmed', limit: 5 });
    expect(ofCarl.map((entry) => entry.signature)).toEqual([signature]);
  });
});

const CARL = createTestKey(110);
const pay = (lamports: bigint) => transferLamports(ALICE.address, BOB.address, lamports);

function simulate(bank: Bank, wire: Uint8Array, changed: Partial<SimulateOptions> = {}) {
  const outcome = bank.simulate(wire, {
    commitment: 'processed',
    verifySignatures: true,
    replaceBlockhash: false,
    accounts: [],
    ...changed,
  });
  if (outcome.kind === 'malformed') throw new Error(outcome.reason);
  return outcome.simulation;
}

const EVERYTHING = { commitment: 'processed', verifySignatures: true, replaceBlockhash: false } as const;
