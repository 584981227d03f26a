import { describe, expect, it } from 'vitest';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { memo } from '../../../solana/programs/memo.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { syncNative } from '../../../solana/programs/token/instructions.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import type { Bank } from '../ledger/bank.ts';
import {
  ALICE,
  advance,
  BOB,
  collectEvents,
  GENESIS,
  getLamports,
  SOL,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
  createTestKey,
  createTokenProgramAccount,
} from '../../../testing/chain/bank.ts';

describe('a transaction that succeeds', () => {
  it('has a record of all its effects', async () => {
    const bank = await openBankForTests({ genesis: [...GENESIS, NATIVE_MINT] });
    const wrapped = deriveAssociatedTokenAddress(ALICE.address, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
    const events = collectEvents(bank);
    const wire = signTestTransaction(
      bank,
      [ALICE],
      [
        createAssociatedTokenIdempotent({
          payer: ALICE.address,
          owner: ALICE.address,
          mint: WRAPPED_SOL_MINT,
          tokenProgram: TOKEN_PROGRAM,
        }),
        transferLamports(ALICE.address, wrapped, SOL),
        syncNative(TOKEN_PROGRAM, wrapped),
        memo('thanks'),
      ],
    );
    const signature = send(bank, wire);
    const found = await record(bank, signature);
    expect(found).toMatchObject({ signature, slot: 1n, index: 0, version: 0, error: null, fee: 5_000n });
    expect(found.wire).toEqual(wire);
    const at = found.staticAddresses.indexOf(wrapped);
    const rent = computeRentExemptMinimum(165);
    expect(found.preBalances[0]).toBe(100n * SOL);
    expect(found.postBalances[0]).toBe(99n * SOL - rent - 5_000n);
    expect([found.preBalances[at], found.postBalances[at]]).toEqual([0n, SOL + rent]);
    expect(found.preTokenBalances).toEqual([]);
    expect(found.postTokenBalances).toEqual([
      {
        accountIndex: at,
        mint: WRAPPED_SOL_MINT,
        owner: ALICE.address,
        tokenProgram: TOKEN_PROGRAM,
        amount: SOL,
        decimals: 9,
      },
    ]);
    expect(found.innerInstructions).toHaveLength(1);
    expect(found.innerInstructions[0]?.index).toBe(0);
    const inner = found.innerInstructions[0]?.instructions ?? [];
    const programs = inner.map(({ programIdIndex }) => found.staticAddresses[programIdIndex]);
    expect(programs.filter((program) => program === TOKEN_PROGRAM).length).toBeGreaterThan(1);
    expect(inner.every(({ stackHeight }) => stackHeight === 2)).toBe(true);
    expect(found.logs.some((line) => line.includes('thanks'))).toBe(true);
    expect(found.unitsConsumed).toBeGreaterThan(5_000n);
    const told = events.find((event) => event.kind === 'transaction');
    expect(told?.kind === 'transaction' && told.record).toEqual(found);
    expect(told?.kind === 'transaction' && told.changes.map(({ address }) => address).sort()).toEqual(
      [ALICE.address, wrapped].sort(),
    );
  });

  it('deletes an account that it empties', async () => {
    const bank = await openBankForTests();
    send(
      bank,
      signTestTransaction(bank, [BOB], [transferLamports(BOB.address, ALICE.address, 100n * SOL - 5_000n)]),
    );
    expect(bank.getAccount(BOB.address, 'processed')).toBeNull();
    const addresses = bank.programAccounts(GENESIS[0]?.account.owner ?? BOB.address, 'processed').value;
    expect(addresses.some(({ address }) => address === BOB.address)).toBe(false);
    const again = send(
      bank,
      signTestTransaction(bank, [BOB], [transferLamports(BOB.address, ALICE.address, 1n)]),
    );
    expect(getSignatureStatus(bank, again)).toBeNull();
  });

  it('burns its fee: nothing else changes the sum of all lamports', async () => {
    const bank = await openBankForTests();
    const before = bank.totalLamports('processed');
    send(bank, signTestTransaction(bank, [ALICE], [pay(SOL)]));
    expect(bank.totalLamports('processed')).toBe(before - 5_000n);
    expect(bank.totalLamports('confirmed')).toBe(before);
  });
});

describe('a transaction that fails', () => {
  it('pays its fee and is recorded with its error when a program fails', async () => {
    const bank = await openBankForTests();
    const found = await record(
      bank,
      send(bank, signTestTransaction(bank, [ALICE], [pay(1n), pay(1_000n * SOL)])),
    );
    expect(found.error).toEqual({ InstructionError: [1, { Custom: 1 }] });
    expect(found.postBalances[0]).toBe(100n * SOL - 5_000n);
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL);
  });

  it('pays its fee when it would leave an account below rent', async () => {
    const bank = await openBankForTests();
    const toCarl = transferLamports(ALICE.address, CARL.address, 1n);
    const found = await record(bank, send(bank, signTestTransaction(bank, [ALICE], [toCarl])));
    expect(found.error).toEqual({ InsufficientFundsForRent: { account_index: 1 } });
    expect(found.fee).toBe(5_000n);
    expect(bank.getAccount(CARL.address, 'processed')).toBeNull();
  });

  it('pays its fee when its program does not exist', async () => {
    const bank = await openBankForTests();
    const nowhere = { programAddress: CARL.address, accounts: [], data: new Uint8Array(0) };
    const found = await record(bank, send(bank, signTestTransaction(bank, [ALICE], [nowhere])));
    expect(found.error).toBe('ProgramAccountNotFound');
    expect([found.fee, getLamports(bank, ALICE.address)]).toEqual([5_000n, 100n * SOL - 5_000n]);
    const noProgram = { programAddress: BOB.address, accounts: [], data: new Uint8Array(0) };
    const second = await record(bank, send(bank, signTestTransaction(bank, [ALICE], [noProgram])));
    expect(second.error).toBe('InvalidProgramForExecution');
    expect(getLamports(bank, ALICE.address)).toBe(100n * SOL - 10_000n);
  });

  it.each([
    ['AccountNotFound', (bank: Bank) => signTestTransaction(bank, [CARL], [memo('hi')])],
    [
      'AlreadyProcessed',
      (bank: Bank) => {
        const wire = signTestTransaction(bank, [ALICE], [pay(1n)]);
        send(bank, wire);
        return wire;
      },
    ],
    [
      'BlockhashNotFound',
      (bank: Bank) =>
        signTestTransaction(bank, [ALICE], [pay(1n)], { blockhash: new Uint8Array(32).fill(9) }),
    ],
  ] as const)('is not included and costs nothing: %s', async (error, make) => {
    const bank = await openBankForTests();
    const wire = make(bank);
    const total = bank.totalLamports('processed');
    const refused = bank.submit(wire, { preflight: 'processed' });
    expect(refused.kind === 'preflight-failed' && refused.simulation.error).toBe(error);
    const count = bank.transactionCount('processed');
    send(bank, wire);
    expect(bank.transactionCount('processed')).toBe(count);
    expect(bank.totalLamports('processed')).toBe(total);
  });

  it('is not included when the payer cannot pay the fee, or would be left with dust', async () => {
    const bank = await openBankForTests();
    bank.requestAirdrop(CARL.address, computeRentExemptMinimum(0));
    const wire = signTestTransaction(bank, [CARL], [memo('hi')]);
    const outcome = bank.submit(wire, { preflight: 'processed' });
    expect(outcome.kind === 'preflight-failed' && outcome.simulation.error).toEqual({
      InsufficientFundsForRent: { account_index: 0 },
    });
    const dear = signTestTransaction(
      bank,
      [CARL, ALICE, BOB],
      [memo('a', [ALICE.address, BOB.address]), memo('b')],
    );
    expect(getSignatureStatus(bank, send(bank, dear))).toBeNull();
    expect(getLamports(bank, CARL.address)).toBe(computeRentExemptMinimum(0));
  });

  it('is refused when a signature does not match its message', async () => {
    const bank = await openBankForTests();
    const wire = signTestTransaction(bank, [ALICE], [pay(1n)]);
    wire[10] = (wire[10] ?? 0) ^ 1;
    expect(bank.submit(wire, { preflight: 'processed' })).toEqual({ kind: 'bad-signature' });
    send(bank, wire);
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL);
  });
});

describe('a blockhash', () => {
  it('can be used for 150 blocks and not longer', async () => {
    const bank = await openBankForTests();
    const { value } = bank.latestBlockhash('processed');
    expect(value.lastValidBlockHeight).toBe(150n);
    const early = signTestTransaction(bank, [ALICE], [pay(1n)]);
    const late = signTestTransaction(bank, [ALICE], [pay(2n)]);
    await advance(bank, 149);
    expect(bank.blockHeight('processed')).toBe(150n);
    expect(bank.isBlockhashValid(value.blockhash, 'processed').value).toBe(true);
    expect(getSignatureStatus(bank, send(bank, early))?.error).toBeNull();
    expect(bank.submit(early, { preflight: null }).kind).toBe('accepted');
    await bank.advanceSlot();
    expect(bank.isBlockhashValid(value.blockhash, 'processed').value).toBe(false);
    expect(bank.isBlockhashValid(value.blockhash, 'confirmed').value).toBe(true);
    expect(getSignatureStatus(bank, send(bank, late))).toBeNull();
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL + 1n);
  });

  it('can be used for as many blocks as the network is started with, and its transaction only once', async () => {
    const bank = await openBankForTests({ blockhashSlots: 1_200 });
    const { value } = bank.latestBlockhash('processed');
    expect(value.lastValidBlockHeight).toBe(1_200n);
    const [early, late, tooLate] = [1n, 2n, 3n].map((lamports) =>
      signTestTransaction(bank, [ALICE], [pay(lamports)]),
    );
    if (early === undefined || late === undefined || tooLate === undefined) throw new Error('three expected');
    send(bank, early);
    await advance(bank, 1_199);
    expect(bank.usableBlockhashes().at(0)?.value).toEqual(value);
    send(bank, early);
    expect(getSignatureStatus(bank, send(bank, late))?.error).toBeNull();
    await bank.advanceSlot();
    expect(bank.isBlockhashValid(value.blockhash, 'processed').value).toBe(false);
    expect(getSignatureStatus(bank, send(bank, tooLate))).toBeNull();
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL + 3n);
  });

  it('is returned for the requested commitment', async () => {
    const bank = await openBankForTests();
    await advance(bank, 40);
    const hashes = (['processed', 'confirmed', 'finalized'] as const).map(
      (commitment) => bank.latestBlockhash(commitment).value,
    );
    expect(hashes.map(({ lastValidBlockHeight }) => lastValidBlockHeight)).toEqual([190n, 190n, 159n]);
    const finalized = hashes[2];
    if (finalized === undefined) throw new Error('three hashes expected');
    const wire = signTestTransaction(bank, [ALICE], [pay(1n)], { blockhash: finalized.bytes });
    expect(bank.submit(wire, { preflight: 'finalized' }).kind).toBe('accepted');
    const newest = signTestTransaction(bank, [ALICE], [pay(2n)]);
    const outcome = bank.submit(newest, { preflight: 'finalized' });
    expect(outcome.kind === 'preflight-failed' && outcome.simulation.error).toBe('BlockhashNotFound');
  });
});

const pay = (lamports: bigint) => transferLamports(ALICE.address, BOB.address, lamports);
const CARL = createTestKey(30);

const NATIVE_MINT = {
  address: WRAPPED_SOL_MINT,
  account: createTokenProgramAccount(
    encodeMint({ mintAuthority: null, supply: 0n, decimals: 9, freezeAuthority: null, extensions: [] }),
  ),
};

async function record(bank: Bank, signature: string) {
  await bank.advanceSlot();
  const found = bank.transaction(signature, 'confirmed');
  if (found === null) throw new Error(`no record of ${signature}`);
  return found;
}
