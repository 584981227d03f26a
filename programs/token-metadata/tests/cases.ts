import fc from 'fast-check';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, SYSVAR_INSTRUCTIONS } from '../../../src/solana/program-addresses.ts';
import {
  type Creator,
  type MetadataFields,
  writeRoyalty,
} from '../../../src/solana/programs/token-metadata/account.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../src/solana/programs/token-metadata/program.ts';
import { namedAddress, type Token } from '../../raydium-cpmm/tests/fixture.ts';

export const AUTHORITY = namedAddress('metadata authority');
const CREATORS = ['a', 'b', 'c'].map((name) => namedAddress(`creator ${name}`));

export interface Collection {
  readonly verified: boolean;
  readonly mint: Address;
}

export interface Uses {
  readonly method: number;
  readonly remaining: bigint;
  readonly total: bigint;
}

/** All fields of an instruction. */
export interface Fields extends MetadataFields {
  readonly collection: Collection | null;
  readonly uses: Uses | null;
}

const text = (max: number) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.string({ maxLength: max }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(max), 'x'.repeat(max + 1), 'é€𝄞') },
  );
const creator = (address: Address): fc.Arbitrary<Creator> =>
  fc.record({
    address: fc.constant(address),
    verified: fc.boolean(),
    share: fc.constantFrom(100, 50, 50, 25, 0, 255),
  });
const creators = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: creator(AUTHORITY).map((one) => [{ ...one, share: 100 }]) },
  {
    weight: 3,
    arbitrary: fc.tuple(creator(AUTHORITY), creator(CREATORS[0] as Address)).map(([one, other]) => [
      { ...one, share: 60 },
      { ...other, share: 40, verified: false },
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(AUTHORITY, ...CREATORS).chain(creator), { maxLength: 6 }),
  },
);
const collection = fc.record({
  verified: fc.constantFrom(false, false, false, true),
  mint: fc.constantFrom(namedAddress('collection'), namedAddress('other collection')),
});
const uses = fc.record({
  method: fc.constantFrom(0, 1, 2),
  remaining: fc.constantFrom(0n, 1n, 2n, 7n),
  total: fc.constantFrom(0n, 1n, 2n, 7n),
});

export const fields: fc.Arbitrary<Fields> = fc.record({
  name: text(32),
  symbol: text(10),
  uri: text(200),
  sellerFeeBasisPoints: fc.constantFrom(0, 0, 500, 10_000, 10_001),
  creators,
  collection: fc.option(collection, { freq: 2 }),
  uses: fc.option(uses, { freq: 2 }),
});

export interface Creation {
  /** The token standard if the metadata is made by `Create`, or null for `CreateMetadataAccountV3`. */
  readonly standard: number | null;
  readonly fields: Fields;
  readonly isMutable: boolean;
  readonly primarySaleHappened: boolean;
  /** The version of the collection details. */
  readonly details: number | null;
  readonly updateAuthoritySigns: boolean;
}

export const creation: fc.Arbitrary<Creation> = fc.record({
  standard: fc.option(fc.constantFrom(1, 2, 2, 3, 5)),
  fields,
  isMutable: fc.boolean(),
  primarySaleHappened: fc.boolean(),
  details: fc.option(fc.constantFrom(0, 1), { freq: 2 }),
  updateAuthoritySigns: fc.boolean(),
});

export interface Update {
  readonly fields: Fields | null;
  readonly updateAuthority: Address | null;
  readonly primarySaleHappened: boolean | null;
  readonly isMutable: boolean | null;
}

const sometimes = fc.option(fc.boolean(), { freq: 2 });
export const update: fc.Arbitrary<Update> = fc.record({
  fields: fc.option(fields),
  updateAuthority: fc.option(fc.constantFrom(AUTHORITY, AUTHORITY, CREATORS[0] as Address), { freq: 2 }),
  primarySaleHappened: sometimes,
  isMutable: sometimes,
});

/**
 * Returns an instruction that creates the metadata of `mint`. AUTHORITY is the mint authority, and the payer pays.
 */
export function creationOf(each: Creation, { mint, tokenProgram }: Token, payer: Address): Instruction {
  const data = new ByteWriter(400);
  if (each.standard === null) {
    data.u8(33);
    writeData(data, each.fields);
    writeLinks(data, each.fields);
    writeDetails(data.bool(each.isMutable), each.details);
  } else {
    data.u8(42).u8(0);
    writeData(data, each.fields);
    data.bool(each.primarySaleHappened).bool(each.isMutable).u8(each.standard);
    writeLinks(data, each.fields);
    writeDetails(data, each.details);
    // No rule set, the decimals of an existing mint, an unlimited print supply.
    data.u8(0).u8(1).u8(6).u8(1).u8(2);
  }
  const authority = each.updateAuthoritySigns ? readonlySigner(AUTHORITY) : readonly(namedAddress('quiet'));
  const [metadata, system] = [writable(deriveMetadataAddress(mint)), readonly(SYSTEM_PROGRAM)];
  const older = [
    metadata,
    readonly(mint),
    readonlySigner(AUTHORITY),
    writableSigner(payer),
    authority,
    system,
  ];
  const newer = [
    metadata,
    readonly(TOKEN_METADATA_PROGRAM),
    writable(mint),
    readonlySigner(AUTHORITY),
    writableSigner(payer),
    authority,
    system,
    readonly(SYSVAR_INSTRUCTIONS),
    readonly(tokenProgram),
  ];
  return {
    programAddress: TOKEN_METADATA_PROGRAM,
    accounts: each.standard === null ? older : newer,
    data: data.finish(),
  };
}

export function updateOf(each: Update, mint: Address): Instruction {
  const data = new ByteWriter(400).u8(15).bool(each.fields !== null);
  if (each.fields !== null) {
    writeData(data, each.fields);
    writeLinks(data, each.fields);
  }
  writeOption(data, each.updateAuthority === null ? null : toAddressBytes(each.updateAuthority));
  for (const flag of [each.primarySaleHappened, each.isMutable]) {
    writeOption(data, flag === null ? null : Uint8Array.of(Number(flag)));
  }
  const accounts = [writable(deriveMetadataAddress(mint)), readonlySigner(AUTHORITY)];
  return { programAddress: TOKEN_METADATA_PROGRAM, accounts, data: data.finish() };
}

function writeData(data: ByteWriter, given: Fields): void {
  for (const each of [given.name, given.symbol, given.uri]) {
    const bytes = Buffer.from(each);
    data.u32(bytes.length).bytes(bytes);
  }
  writeRoyalty(data, given);
}

function writeLinks(data: ByteWriter, given: Fields): void {
  data.bool(given.collection !== null);
  if (given.collection !== null) data.bool(given.collection.verified).address(given.collection.mint);
  data.bool(given.uses !== null);
  if (given.uses !== null) data.u8(given.uses.method).u64(given.uses.remaining).u64(given.uses.total);
}

function writeDetails(data: ByteWriter, version: number | null): void {
  data.bool(version !== null);
  if (version !== null) data.u8(version).u64(7n);
}

function writeOption(data: ByteWriter, bytes: Uint8Array | null): void {
  data.bool(bytes !== null);
  if (bytes !== null) data.bytes(bytes);
}
