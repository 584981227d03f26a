import type { Address } from '../../solana/address.ts';
import { compileMessage, type MessageSource } from '../../solana/messages/compile-message.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { type Keypair, createKeypairFromSeed } from '../../solana/keypair.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import { U64_MAX } from '../../solana/units.ts';
import type { Account } from '../../chain/accounts.ts';
import type { EmbeddedBank } from '../../chain/embedded/bank/embedded-bank.ts';
import type { Bank } from '../../chain/embedded/ledger/bank.ts';
import type { BankOptions } from '../../chain/embedded/bank/bank-options.ts';
import { openBank } from '../../chain/embedded/bank/open-bank.ts';
import type { AddressedAccount, BankEvent } from '../../chain/records/records.ts';

export const SOL = 1_000_000_000n;

/** Returns a key that is the same in every run. */
export function createTestKey(number: number): Keypair {
  const seed = new Uint8Array(32);
  new DataView(seed.buffer).setUint32(0, number);
  return createKeypairFromSeed(seed);
}

export const FAUCET = createTestKey(1);
export const ALICE = createTestKey(2);
export const BOB = createTestKey(3);

export function createWalletAccount(lamports: bigint): Account {
  return { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: U64_MAX };
}

/** Returns a rent-exempt account of the token program. */
export function createTokenProgramAccount(data: Uint8Array): Account {
  const lamports = computeRentExemptMinimum(data.length);
  return { lamports, owner: TOKEN_PROGRAM, data, executable: false, rentEpoch: U64_MAX };
}

export const GENESIS: readonly AddressedAccount[] = [
  { address: FAUCET.address, account: createWalletAccount(1_000_000n * SOL) },
  { address: ALICE.address, account: createWalletAccount(100n * SOL) },
  { address: BOB.address, account: createWalletAccount(100n * SOL) },
];

/** A clock that only the test advances. */
export class TestClock {
  milliseconds = 1_700_000_000_000;
  readonly now = () => this.milliseconds;
}

export function createBankOptions(changed: Partial<BankOptions> = {}): BankOptions {
  return {
    folder: null,
    seed: 'test',
    genesis: GENESIS,
    overlay: [],
    faucet: FAUCET,
    mintAuthorities: [],
    slotMs: 400,
    now: new TestClock().now,
    production: false,
    ...changed,
  };
}

export function openBankForTests(changed: Partial<BankOptions> = {}): Promise<EmbeddedBank> {
  return openBank(createBankOptions(changed));
}

export async function advance(bank: Bank, slots: number): Promise<void> {
  for (let i = 0; i < slots; i++) await bank.advanceSlot();
}

export function collectEvents(bank: Bank): BankEvent[] {
  const events: BankEvent[] = [];
  bank.subscribe((event) => events.push(event));
  return events;
}

/** Returns a signed transaction with the newest blockhash. The first signer pays. */
export function signTestTransaction(
  bank: Bank,
  signers: readonly Keypair[],
  instructions: readonly Instruction[],
  changed: Partial<MessageSource> = {},
): Uint8Array {
  const [payer] = signers;
  if (payer === undefined) throw new Error('a transaction needs a signer');
  const message = compileMessage({
    feePayer: payer.address,
    blockhash: bank.latestBlockhash('processed').value.bytes,
    instructions,
    ...changed,
  });
  return signTransaction(message, signers);
}

/** Submits without preflight and returns the signature. Throws when the transaction is not accepted. */
export function send(bank: Bank, wire: Uint8Array): string {
  const outcome = bank.submit(wire, { preflight: null });
  if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
  return outcome.signature;
}

export function getLamports(bank: Bank, address: Address): bigint {
  return bank.getAccount(address, 'processed')?.lamports ?? 0n;
}

export function getSignatureStatus(bank: Bank, signature: string) {
  return bank.signatureStatuses([signature], true).value[0] ?? null;
}
