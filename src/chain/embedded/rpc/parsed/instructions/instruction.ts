import type { Address } from '../../../../../solana/address.ts';
import { type ByteReader, LayoutInvalid } from '../../../../../solana/codec/byte-reader.ts';

/** An instruction with addresses in place of account indexes. */
export interface PlainInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** The `parsed` member of an instruction in `jsonParsed`. */
export interface ParsedInstruction {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

type NamedAccounts = Readonly<Record<string, Address>>;

/**
 * Returns the first accounts by name.
 *
 * @throws LayoutInvalid when there are fewer accounts than names.
 */
export function nameAccounts(
  { accounts }: Pick<PlainInstruction, 'accounts'>,
  ...names: readonly string[]
): NamedAccounts {
  if (accounts.length < names.length) {
    throw new LayoutInvalid(`the instruction needs ${names.length} accounts, got ${accounts.length}`);
  }
  return Object.fromEntries(names.map((name, index) => [name, accounts[index] as Address]));
}

/** The member names of an authority: a single owner, or a multisig account with its signers. */
export interface AuthorityNames {
  readonly single: string;
  readonly multisig: string;
}

export function createAuthorityNames(name: string): AuthorityNames {
  return { single: name, multisig: `multisig${name.charAt(0).toUpperCase()}${name.slice(1)}` };
}

/** Returns the first accounts by name, then the authority. Further accounts are the signers of a multisig. */
export function nameAccountsWithAuthority(
  instruction: Pick<PlainInstruction, 'accounts'>,
  names: readonly string[],
  { single, multisig }: AuthorityNames,
): Readonly<Record<string, unknown>> {
  const signers = instruction.accounts.slice(names.length + 1);
  if (signers.length === 0) return nameAccounts(instruction, ...names, single);
  return { ...nameAccounts(instruction, ...names, multisig), signers };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 strictly, like Rust's strings. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new LayoutInvalid('not UTF-8');
  }
}

/** Reads a tag byte of 1 and an address, or a tag byte of 0. */
export function readTaggedAddress(reader: ByteReader): Address | null {
  return reader.bool() ? reader.address() : null;
}
