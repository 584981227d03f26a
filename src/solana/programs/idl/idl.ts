import type { Address } from '../../address.ts';
import { sha256 } from '../../encoding/sha256.ts';

/** The type of an argument or a field, as Anchor's interface descriptions write it. */
export type IdlType =
  | 'bool'
  | 'u8'
  | 'i8'
  | 'u16'
  | 'i16'
  | 'u32'
  | 'i32'
  | 'u64'
  | 'i64'
  | 'u128'
  | 'i128'
  | 'bytes'
  | 'string'
  | 'pubkey'
  | { readonly vec: IdlType }
  | { readonly option: IdlType }
  | { readonly array: readonly [IdlType, number] }
  | { readonly defined: { readonly name: string } };

/** The roles of an account in an instruction. The program's own address stands for an optional one that is left out. */
export type IdlRole = '' | 'signer' | 'writable' | 'writable signer' | 'optional' | 'writable optional';

/** An account of an instruction. Its address is there if it is always the same. */
export type IdlParty = readonly [name: string, role: IdlRole, address?: Address];

export type IdlField = readonly [name: string, type: IdlType];

/** An instruction as the interface of a program declares it. */
export interface DeclaredInstruction {
  readonly name: string;
  readonly accounts: readonly IdlParty[];
  readonly args: readonly IdlField[];
  readonly returns?: IdlType;
}

/** A variant of an enum. */
export type IdlVariant = readonly [name: string, fields?: readonly IdlField[]];

/** A type that the interface declares: a struct by its fields, or an enum by its variants in their order. */
export interface DeclaredType {
  readonly name: string;
  readonly fields?: readonly IdlField[];
  readonly variants?: readonly IdlVariant[];
}

/** The interface of an Anchor program of ours. All names are those of the public program. */
export interface ProgramInterface {
  readonly name: string;
  readonly version: string;
  readonly address: Address;
  /** The instructions that our program carries out. Those that it leaves out are not declared. */
  readonly instructions: readonly DeclaredInstruction[];
  /** All declared types, among them those of accounts and events. */
  readonly types: readonly DeclaredType[];
  /** The names of types that accounts have. */
  readonly accounts: readonly string[];
  /** The names of types that events have. */
  readonly events: readonly string[];
  /** The names of the program's own errors, from code 6000 on. */
  readonly errors: readonly string[];
}

const FIRST_ERROR = 6000;

/**
 * Returns the description of a program's interface in the form that Anchor's clients read, version 0.1.0.
 *
 * @example
 * ```ts
 * import { address } from '../../address.ts';
 * import { createIdl } from './idl.ts';
 *
 * const idl = createIdl({
 *   name: 'counter',
 *   version: '0.1.0',
 *   address: address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'),
 *   instructions: [{ name: 'add', accounts: [['counter', 'writable']], args: [['amount', 'u64']] }],
 *   types: [],
 *   accounts: [],
 *   events: [],
 *   errors: ['TooMuch'],
 * });
 * JSON.stringify(idl);
 * ```
 */
export function createIdl(declared: ProgramInterface): object {
  return {
    address: declared.address,
    metadata: { name: declared.name, version: declared.version, spec: '0.1.0' },
    instructions: declared.instructions.map(createInstruction),
    accounts: declared.accounts.map((name) => ({ name, discriminator: hashName('account', name) })),
    events: declared.events.map((name) => ({ name, discriminator: hashName('event', name) })),
    errors: declared.errors.map((name, index) => ({ code: FIRST_ERROR + index, name })),
    types: declared.types.map(createType),
  };
}

function createInstruction({ name, accounts, args, returns }: DeclaredInstruction): object {
  return {
    name,
    discriminator: hashName('global', name),
    accounts: accounts.map(([party, role, address]) => ({
      name: party,
      ...(role.includes('writable') ? { writable: true } : {}),
      ...(role.includes('signer') ? { signer: true } : {}),
      ...(role.includes('optional') ? { optional: true } : {}),
      ...(address === undefined ? {} : { address }),
    })),
    args: args.map(toField),
    ...(returns === undefined ? {} : { returns }),
  };
}

function createType({ name, fields = [], variants }: DeclaredType): object {
  if (variants === undefined) return { name, type: { kind: 'struct', fields: fields.map(toField) } };
  const described = variants.map(([variant, its]) =>
    its === undefined ? { name: variant } : { name: variant, fields: its.map(toField) },
  );
  return { name, type: { kind: 'enum', variants: described } };
}

function toField([name, type]: IdlField): object {
  return { name, type };
}

/** Computes the eight bytes that the data of an instruction begins with in a program that is made with Anchor. */
export function computeInstructionTag(name: string): Uint8Array {
  return Uint8Array.from(hashName('global', name));
}

/** Computes the eight bytes that an event begins with in a program that is made with Anchor. */
export function computeEventTag(name: string): Uint8Array {
  return Uint8Array.from(hashName('event', name));
}

/** Computes the eight bytes that an account begins with in a program that is made with Anchor. */
export function computeAccountTag(name: string): Uint8Array {
  return Uint8Array.from(hashName('account', name));
}

/** Anchor's discriminators are the first eight bytes of the hash of what is named, and its name. */
function hashName(kind: 'global' | 'account' | 'event', name: string): readonly number[] {
  return [...sha256(Buffer.from(`${kind}:${name}`)).subarray(0, 8)];
}
