import { describe, expect, it } from 'vitest';
import type { Address } from '../../../solana/address.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { decodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { decodeMint, encodeMint } from '../../../solana/programs/token/mint.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { type Bank, NetworkRefused } from '../ledger/bank.ts';
import {
  ALICE,
  BOB,
  collectEvents,
  FAUCET,
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

describe('requestAirdrop', () => {
  it('transfers from the faucet, any number of times in one slot', async () => {
    const bank = await openBankForTests();
    const signatures = [1, 2, 3].map(() => bank.requestAirdrop(CARL, SOL));
    expect(new Set(signatures).size).toBe(3);
    expect(getLamports(bank, CARL)).toBe(3n * SOL);
    expect(signatures.map((signature) => getSignatureStatus(bank, signature)?.error)).toEqual([
      null,
      null,
      null,
    ]);
    expect(getLamports(bank, FAUCET.address)).toBe(1_000_000n * SOL - 3n * SOL - 15_000n);
    expect(bank.transactionCount('processed')).toBe(3n);
    await bank.advanceSlot();
    const events = collectEvents(bank);
    bank.requestAirdrop(CARL, SOL);
    expect(events.map(({ kind }) => kind)).toEqual(['transaction']);
  });

  it('refuses with the reason what it cannot give', async () => {
    const bank = await openBankForTests();
    expect(() => bank.requestAirdrop(CARL, 0n)).toThrow(
      /must be from 1 to 18446744073709551615 lamports, got 0/,
    );
    expect(() => bank.requestAirdrop(CARL, U64_MAX + 1n)).toThrow(NetworkRefused);
    expect(() => bank.requestAirdrop(CARL, 2_000_000n * SOL)).toThrow(
      /can give less than 999900000000000 lamports, got 2000000000000000: it keeps 100000000000/,
    );
    expect(() => bank.requestAirdrop(CARL, 1n)).toThrow(/InsufficientFundsForRent/);
    for (const program of [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM])
      expect(() => bank.requestAirdrop(program, SOL)).toThrow(NetworkRefused);
    const production = await openBankForTests({ production: true });
    expect(() => production.requestAirdrop(CARL, SOL)).toThrow(/runs with production/);
  });
});

describe('the faucet for tokens', () => {
  it.each([
    ['whose authority it holds', HELD],
    ['whose authority nobody here holds', FOREIGN],
    ['that has no authority any more', ENDED],
  ])('mints a token %s, keeping supply and authority right', async (_, mint) => {
    const bank = await mintBank();
    const before = mintNow(bank, mint);
    const events = collectEvents(bank);
    const { signature, account } = bank.faucet(CARL, mint, 25n);
    bank.faucet(CARL, mint, 5n);
    expect(getTokenAmount(bank, account)).toBe(30n);
    expect(mintNow(bank, mint)).toEqual({ ...before, supply: 1_030n });
    expect(getSignatureStatus(bank, signature)?.error).toBeNull();
    const [told] = events;
    const changes = told?.kind === 'transaction' ? told.changes : [];
    const changed = changes.find(({ address }) => address === mint)?.account?.data ?? new Uint8Array(0);
    expect(decodeMint(changed).mintAuthority).toBe(before.mintAuthority);
    const holders = [...bank.eachTokenAccount({ by: 'mint', mint }, 'processed').value];
    expect(holders.map(({ address }) => address)).toEqual([account]);
  });

  it('wraps lamports for wrapped SOL', async () => {
    const bank = await mintBank();
    const { account } = bank.faucet(CARL, WRAPPED_SOL_MINT, 7n * SOL);
    expect(getTokenAmount(bank, account)).toBe(7n * SOL);
    expect(mintNow(bank, WRAPPED_SOL_MINT).supply).toBe(1_000n);
  });

  it('leaves a mint as it was when minting fails', async () => {
    const bank = await mintBank();
    const before = mintNow(bank, FOREIGN);
    expect(() => bank.faucet(CARL, FOREIGN, U64_MAX)).toThrow(NetworkRefused);
    expect(mintNow(bank, FOREIGN)).toEqual(before);
    expect(() => bank.faucet(CARL, BOB.address, 1n)).toThrow(/is not a mint of this network/);
    expect(() => bank.faucet(CARL, FOREIGN, 0n)).toThrow(/got 0/);
  });

  it('does not prevent later transactions of users', async () => {
    const bank = await mintBank();
    bank.faucet(CARL, FOREIGN, 5n);
    const pay = transferLamports(ALICE.address, BOB.address, 1n);
    expect(getSignatureStatus(bank, send(bank, signTestTransaction(bank, [ALICE], [pay])))).toMatchObject({
      error: null,
    });
    await bank.advanceSlot();
    expect(bank.transactionCount('confirmed')).toBe(2n);
  });
});

const ISSUER = createTestKey(40);
const HELD = createTestKey(41).address;
const FOREIGN = createTestKey(42).address;
const ENDED = createTestKey(43).address;
const CARL = createTestKey(44).address;

function mintAccount(address: Address, mintAuthority: Address | null, program = TOKEN_PROGRAM) {
  const data = encodeMint({
    mintAuthority,
    supply: 1_000n,
    decimals: 6,
    freezeAuthority: null,
    extensions: [],
  });
  return { address, account: { ...createTokenProgramAccount(data), owner: program } };
}

function mintBank(): Promise<Bank> {
  return openBankForTests({
    mintAuthorities: [ISSUER],
    genesis: [
      ...GENESIS,
      mintAccount(HELD, ISSUER.address, TOKEN_2022_PROGRAM),
      mintAccount(FOREIGN, createTestKey(99).address),
      mintAccount(ENDED, null),
      mintAccount(WRAPPED_SOL_MINT, null),
    ],
  });
}

function mintNow(bank: Bank, mint: Address) {
  const account = bank.getAccount(mint, 'processed');
  if (account === null) throw new Error('no mint');
  return decodeMint(account.data);
}

function getTokenAmount(bank: Bank, account: Address): bigint {
  const found = bank.getAccount(account, 'processed');
  return found === null ? 0n : decodeTokenAccount(found.data).amount;
}
