import type { Address } from '../../address.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../program-addresses.ts';
import { type MetadataFields, writeRoyalty } from './account.ts';
import { deriveMetadataAddress, TOKEN_METADATA_PROGRAM } from './program.ts';

const UPDATE_METADATA_ACCOUNT_V2 = 15;
const CREATE_METADATA_ACCOUNT_V3 = 33;

export interface MetadataParties {
  readonly mint: Address;
  readonly mintAuthority: Address;
  /** Pays the rent and the program's fee of 0.01 SOL. */
  readonly payer: Address;
  /** Also signs. It may mark itself as a verified creator. */
  readonly updateAuthority: Address;
}

/** `CreateMetadataAccountV3`: creates the metadata account of a mint of the token program. */
export function createMetadataV3(
  { mint, mintAuthority, payer, updateAuthority }: MetadataParties,
  fields: MetadataFields,
  isMutable: boolean,
): Instruction {
  const data = new ByteWriter(320).u8(CREATE_METADATA_ACCOUNT_V3);
  writeFields(data, fields);
  return {
    programAddress: TOKEN_METADATA_PROGRAM,
    accounts: [
      writable(deriveMetadataAddress(mint)),
      readonly(mint),
      readonlySigner(mintAuthority),
      writableSigner(payer),
      readonlySigner(updateAuthority),
      readonly(SYSTEM_PROGRAM),
    ],
    data: data.bool(isMutable).u8(0).finish(),
  };
}

/** The changes of `updateMetadataV2`. Fields that are left out stay as they are. */
export interface MetadataChanges {
  readonly fields?: MetadataFields;
  readonly updateAuthority?: Address;
  /** Can only become true. */
  readonly primarySaleHappened?: boolean;
  /** Can only become false, which freezes the fields for good. */
  readonly isMutable?: boolean;
}

/** `UpdateMetadataAccountV2`: changes a metadata account. The update authority signs. */
export function updateMetadataV2(
  mint: Address,
  updateAuthority: Address,
  changes: MetadataChanges,
): Instruction {
  const data = new ByteWriter(320).u8(UPDATE_METADATA_ACCOUNT_V2).bool(changes.fields !== undefined);
  if (changes.fields !== undefined) writeFields(data, changes.fields);
  data.bool(changes.updateAuthority !== undefined);
  if (changes.updateAuthority !== undefined) data.address(changes.updateAuthority);
  for (const flag of [changes.primarySaleHappened, changes.isMutable]) {
    data.bool(flag !== undefined);
    if (flag !== undefined) data.bool(flag);
  }
  return {
    programAddress: TOKEN_METADATA_PROGRAM,
    accounts: [writable(deriveMetadataAddress(mint)), readonlySigner(updateAuthority)],
    data: data.finish(),
  };
}

/** The fields, without collection and uses. */
function writeFields(data: ByteWriter, fields: MetadataFields): void {
  for (const text of [fields.name, fields.symbol, fields.uri]) {
    const bytes = Buffer.from(text);
    data.u32(bytes.length).bytes(bytes);
  }
  writeRoyalty(data, fields);
  data.u8(0).u8(0);
}
