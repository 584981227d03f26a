import type { Address } from '../../../../../solana/address.ts';
import { type ByteReader, LayoutInvalid } from '../../../../../solana/codec/byte-reader.ts';

/** An instruction with its accounts looked up. */
export interface PlainInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** The `parsed` member of an instruction shown as `jsonParsed`. */
export interface ParsedInstruction {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

type Named = Readonly<Record<string, Address>>;

/** The first accounts under their names; throws `LayoutInvalid` when there are fewer. */
export function named({ accounts }: Pick<PlainInstruction, 'accounts'>, ...names: readonly string[]): Named {
  if (accounts.length < names.length) {
    throw new LayoutInvalid(`the instruction needs ${names.length} accounts, got ${accounts.length}`);
  }
  return Object.fromEntries(names.map((name, index) => [name, accounts[index] as Address]));
}

/** Who must have signed: an owner, or a multisig account followed by those who signed for it. */
export interface AuthorityNames {
  readonly single: string;
  readonly multisig: string;
}

export function authority(name: string): AuthorityNames {
  return { single: name, multisig: `multisig${name.charAt(0).toUpperCase()}${name.slice(1)}` };
}

/** The accounts under `names`, then the authority; what follows it are a multisig's signers. */
export function namedWithAuthority(
  instruction: Pick<PlainInstruction, 'accounts'>,
  names: readonly string[],
  { single, multisig }: AuthorityNames,
): Readonly<Record<string, unknown>> {
  const signers = instruction.accounts.slice(names.length + 1);
  if (signers.length === 0) return named(instruction, ...names, single);
  return { ...named(instruction, ...names, multisig), signers };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Strict UTF-8, as Rust's strings are. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new LayoutInvalid('not UTF-8');
  }
}

/** A tag byte of 1 and an address, or a tag byte of 0. */
export function optionalAddress(reader: ByteReader): Address | null {
  return reader.bool() ? reader.address() : null;
}
