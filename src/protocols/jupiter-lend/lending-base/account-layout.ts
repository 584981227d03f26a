import type { AccountFilter } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

/** The TypeScript types of fields, by their type in the public IDLs. A `flag` is a byte that means true when it is 1. */
interface FieldValues {
  readonly u8: number;
  readonly u16: number;
  readonly i16: number;
  readonly u32: number;
  readonly i32: number;
  readonly u64: bigint;
  readonly u128: bigint;
  readonly flag: boolean;
  readonly address: Address;
}

const FIELD_BYTES: Readonly<Record<keyof FieldValues, number>> = {
  u8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  u64: 8,
  u128: 16,
  flag: 1,
  address: 32,
};

type LayoutFields = Readonly<Record<string, keyof FieldValues>>;

/** The values of an account with these fields. */
type LayoutValues<F extends LayoutFields> = { readonly [Name in keyof F]: FieldValues[F[Name]] };

/** The layout of an account, for both directions. */
export interface AccountLayout<Values> {
  /** The length of the account in bytes, including the discriminator. */
  readonly size: number;
  /** The filter by which RPC nodes select these accounts among the program's. */
  readonly filter: AccountFilter;
  /** The discriminator, with which the data begins. */
  readonly tag: Uint8Array;
  /** Whether data begins with the discriminator and has the size. */
  readonly matches: (data: Uint8Array) => boolean;
  /**
   * Decodes an account. Bytes after the fields are ignored.
   *
   * @throws LayoutInvalid when the data is not such an account.
   */
  readonly decode: (data: Uint8Array) => Values;
  /**
   * Encodes an account.
   *
   * @throws RangeError for a number that does not fit its field.
   */
  readonly encode: (values: Values) => Uint8Array;
}

/** The values that a layout reads and writes. */
export type DecodedLayout<Layout> = Layout extends AccountLayout<infer Values> ? Values : never;

/**
 * Defines a packed account of an Anchor program: an 8-byte discriminator, then the fields without padding.
 *
 * @param subject - What the account is, for messages.
 * @param discriminator - 16 hexadecimal digits.
 * @param fields - The types of the fields by name, in the order of the account.
 *
 * @example
 * ```ts
 * import { defineAccountLayout } from './account-layout.ts';
 *
 * const counter = defineAccountLayout('counter', '0102030405060708', { owner: 'address', count: 'u64' });
 * counter.size; // 48
 * ```
 */
export function defineAccountLayout<const F extends LayoutFields>(
  subject: string,
  discriminator: string,
  fields: F,
): AccountLayout<LayoutValues<F>> {
  const tag = new Uint8Array(Buffer.from(discriminator, 'hex'));
  const entries = Object.entries(fields);
  const size = entries.reduce((sum, [, kind]) => sum + FIELD_BYTES[kind], tag.length);
  return {
    size,
    tag,
    filter: { dataSize: size, memcmp: { offset: 0, bytes: tag } },
    matches: (data) => data.length === size && tag.every((byte, at) => data[at] === byte),
    decode: (data) => {
      const from = new ByteReader(data, subject);
      from.expect(tag, 'discriminator');
      const values: Record<string, unknown> = {};
      for (const [name, kind] of entries) values[name] = kind === 'flag' ? from.u8() === 1 : from[kind]();
      return values as LayoutValues<F>;
    },
    encode: (values) => {
      const to = new ByteWriter(size).bytes(tag);
      for (const [name, kind] of entries) write(to, kind, values[name]);
      return to.finish();
    },
  };
}

/** Returns the values of an account of `owner`; null for another program's, for one of another type, and for none. */
export function decodeOwned<Values>(
  account: { readonly owner: Address; readonly data: Uint8Array } | null | undefined,
  owner: Address,
  layout: AccountLayout<Values>,
): Values | null {
  if (account == null || account.owner !== owner || !layout.matches(account.data)) return null;
  return layout.decode(account.data);
}

function write(to: ByteWriter, kind: keyof FieldValues, value: unknown): void {
  if (kind === 'flag') to.bool(value as boolean);
  else if (kind === 'address') to.address(value as Address);
  else if (kind === 'u64' || kind === 'u128') to[kind](value as bigint);
  else to[kind](value as number);
}
