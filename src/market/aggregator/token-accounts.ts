import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { type Instruction, readonly, writable, writableSigner } from '../../solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { AGGREGATOR_PROGRAM, DISCRIMINATOR } from '../../protocol/venue/aggregator-program.ts';

/** A snapshot of a token account's balance. The ledger routes spend what was added since. */
export interface TokenLedger {
  readonly tokenAccount: Address;
  readonly amount: bigint;
}

/** Discriminator 8, token account 32, amount u64. Accounts may be longer. */
export const TOKEN_LEDGER_SIZE = 48;
export const TOKEN_LEDGER_DISCRIMINATOR: Uint8Array = Buffer.from('9cf709bc366c554d', 'hex');

/**
 * Creates an empty ledger at `tokenLedger`, whose key must sign too; `payer` pays its rent.
 *
 * @example
 * ```ts
 * import type { Address } from '../../solana/address.ts';
 * import { createTokenLedger, setTokenLedger } from './token-accounts.ts';
 *
 * // The instructions before a route that spends what arrives in the account.
 * function prepareLedger(ledger: Address, payer: Address, account: Address) {
 *   return [createTokenLedger(ledger, payer), setTokenLedger(ledger, account)];
 * }
 * ```
 */
export function createTokenLedger(tokenLedger: Address, payer: Address): Instruction {
  return {
    programAddress: AGGREGATOR_PROGRAM,
    accounts: [writableSigner(tokenLedger), writableSigner(payer), readonly(SYSTEM_PROGRAM)],
    data: DISCRIMINATOR.createTokenLedger,
  };
}

/** Writes `tokenAccount` and its current balance into the ledger. */
export function setTokenLedger(tokenLedger: Address, tokenAccount: Address): Instruction {
  return {
    programAddress: AGGREGATOR_PROGRAM,
    accounts: [writable(tokenLedger), readonly(tokenAccount)],
    data: DISCRIMINATOR.setTokenLedger,
  };
}

/** Returns null if the account is not a token ledger. */
export function decodeTokenLedger(account: Account): TokenLedger | null {
  const { data } = account;
  if (account.owner !== AGGREGATOR_PROGRAM || data.length < TOKEN_LEDGER_SIZE) return null;
  if (TOKEN_LEDGER_DISCRIMINATOR.some((byte, index) => data[index] !== byte)) return null;
  const from = new ByteReader(data, 'token ledger', 8);
  return { tokenAccount: from.address(), amount: from.u64() };
}

/** The temporary token account of a user and a mint: PDA `["token_account", user, mint]` and its bump. */
export interface TemporaryTokenAccount {
  readonly tokenAccount: Address;
  readonly bump: number;
  readonly user: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** Turns the PDA, which must hold its rent already, into a token account that `user` owns. */
export function createTokenAccount(account: TemporaryTokenAccount): Instruction {
  return {
    programAddress: AGGREGATOR_PROGRAM,
    accounts: [
      writable(account.tokenAccount),
      writableSigner(account.user),
      readonly(account.mint),
      readonly(account.tokenProgram),
      readonly(SYSTEM_PROGRAM),
    ],
    data: new ByteWriter(9).bytes(DISCRIMINATOR.createTokenAccount).u8(account.bump).finish(),
  };
}
