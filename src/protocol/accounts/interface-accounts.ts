import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { computeAccountTag, type IdlField, type ProgramInterface } from '../../solana/programs/idl/idl.ts';
import { readArgument } from '../instructions/read-arguments.ts';
import type { AccountType } from './program-accounts.ts';

/**
 * Describes a type of account of a program that declares its interface. Bytes after the declared fields are ignored.
 *
 * @param type - The name of the account's type in the interface.
 */
export function describeInterfaceAccount(
  declared: ProgramInterface,
  type: string,
  shown: Omit<AccountType, 'read'>,
): AccountType {
  const tag = computeAccountTag(type);
  return {
    ...shown,
    read: (data) => {
      const reader = new ByteReader(data, type);
      reader.expect(tag, 'discriminator');
      const value = readArgument(reader, { defined: { name: type } }, declared.types);
      return typeof value === 'object' ? value : null;
    },
  };
}

/**
 * Describes a type of account of an Anchor program that Sluice writes or meets, but has no other use for.
 *
 * @param type - The name that the program has for the type.
 * @param declared - Its fields, as far as they are known.
 */
export function describeAnchorAccount(
  type: string,
  declared: readonly IdlField[],
  shown: Omit<AccountType, 'read'>,
): AccountType {
  const tag = computeAccountTag(type);
  return {
    ...shown,
    read: (data) => {
      const reader = new ByteReader(data, type);
      reader.expect(tag, 'discriminator');
      return Object.fromEntries(declared.map(([name, kind]) => [name, readArgument(reader, kind, [])]));
    },
  };
}
