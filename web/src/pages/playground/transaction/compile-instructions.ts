import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { callRpc } from '../../../api/network.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import type { AnswerInstruction, InstructionSet } from './find-instructions.ts';

// This module is loaded when a transaction is compiled: the kit is larger than the rest of the page.

/** The bytes of a lookup table before its addresses. */
const TABLE_HEADER_BYTES = 56;
const ADDRESS_BYTES = 32;

/**
 * Compiles instructions of an answer to a transaction that nobody has signed, in base64. A blockhash and lookup tables that
 * the answer does not have are read from the embedded network.
 *
 * @throws Error if they make no transaction
 */
export async function compileInstructions(set: InstructionSet): Promise<string> {
  const lookupTables = new Map(set.lookupTables);
  for (const table of set.lookupTableAddresses) {
    if (!lookupTables.has(table)) lookupTables.set(table, await fetchLookupTable(table));
  }
  const lifetime = {
    blockhash: await getBlockhash(set),
    // It is not part of the transaction.
    lastValidBlockHeight: 0n,
  };
  const tables = Object.fromEntries(
    [...lookupTables].map(([table, content]) => [address(table), content.map((each) => address(each))]),
  );
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(address(set.payer), empty),
    (payed) => setTransactionMessageLifetimeUsingBlockhash(lifetime, payed),
    (lasting) => appendTransactionMessageInstructions(set.instructions.map(toKitInstruction), lasting),
    (whole) => compressTransactionMessageUsingAddressLookupTables(whole, tables),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}

async function getBlockhash({ blockhash }: InstructionSet): Promise<Blockhash> {
  if (blockhash !== null) return getBase58Decoder().decode(Uint8Array.from(blockhash)) as string as Blockhash;
  const { value } = await callRpc<{ readonly value: { readonly blockhash: string } }>('getLatestBlockhash', [
    { commitment: 'confirmed' },
  ]);
  return value.blockhash as Blockhash;
}

async function fetchLookupTable(table: string): Promise<readonly string[]> {
  const { value } = await callRpc<{ readonly value: { readonly data: readonly [string, string] } | null }>(
    'getAccountInfo',
    [table, { encoding: 'base64', commitment: 'confirmed' }],
  );
  const bytes = value === null ? null : decodeBase64(value.data[0]);
  if (bytes === null) throw new Error(`The network has no lookup table ${table}.`);
  const count = Math.floor((bytes.length - TABLE_HEADER_BYTES) / ADDRESS_BYTES);
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const start = TABLE_HEADER_BYTES + index * ADDRESS_BYTES;
    return getBase58Decoder().decode(bytes.subarray(start, start + ADDRESS_BYTES));
  });
}

function toKitInstruction({ programId, accounts, data }: AnswerInstruction): Instruction {
  return {
    programAddress: address(programId),
    accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey),
      role: Number(isSigner === true) * 2 + Number(isWritable === true),
    })),
    data: decodeBase64(data) ?? new Uint8Array(),
  };
}
