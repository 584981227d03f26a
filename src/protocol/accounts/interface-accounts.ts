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
 * Describes a type of account that Sluice writes or meets, but has no other use for.
 *
 * @param tag - What its data begins with, in hexadecimal.
 * @param declared - The fields that follow, as far as they are known.
 */
export function describeTaggedAccount(
  tag: string,
  declared: readonly IdlField[],
  shown: Omit<AccountType, 'read'>,
): AccountType {
  const expected = Buffer.from(tag, 'hex');
  return {
    ...shown,
    read: (data) => {
      const reader = new ByteReader(data, shown.name);
      reader.expect(expected, 'discriminator');
      return Object.fromEntries(declared.map(([name, type]) => [name, readArgument(reader, type, [])]));
    },
  };
}
