import * as kit from '@solana/kit';
import { COMPUTE_BUDGET } from './mints.ts';

/** What a transaction says, with the numbers that statements check. */
export interface Decoded {
  readonly transaction: kit.Transaction;
  readonly version: kit.TransactionVersion;
  readonly feePayer: string;
  readonly signers: number;
  /** Accounts that the network locks, those of lookup tables included. */
  readonly accounts: number;
  readonly bytes: number;
  readonly units: bigint | null;
  readonly microLamports: bigint | null;
}

/** @param base64 a transaction as the answers have it */
export function decodeTransaction(base64: string): Decoded {
  const bytes = Buffer.from(base64, 'base64');
  const transaction = kit.getTransactionDecoder().decode(bytes);
  const message = kit.getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  if (message.version === 1) throw new Error('messages of version 1 are not sent');
  let [units, microLamports]: [bigint | null, bigint | null] = [null, null];
  for (const { programAddressIndex, data = new Uint8Array() } of message.instructions) {
    if (message.staticAccounts[programAddressIndex] !== COMPUTE_BUDGET) continue;
    const view = Buffer.from(data);
    if (view[0] === 2) units = BigInt(view.readUInt32LE(1));
    if (view[0] === 3) microLamports = view.readBigUInt64LE(1);
  }
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  const lookedUp = lookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) => sum + writableIndexes.length + readonlyIndexes.length,
    0,
  );
  return {
    transaction,
    version: message.version,
    feePayer: `${message.staticAccounts[0]}`,
    signers: message.header.numSignerAccounts,
    accounts: message.staticAccounts.length + lookedUp,
    bytes: bytes.length,
    units,
    microLamports,
  };
}

/** Signs a transaction with the keys of some of its signers. */
export async function signTransaction(
  base64: string,
  ...signers: readonly kit.KeyPairSigner[]
): Promise<string> {
  const { transaction } = decodeTransaction(base64);
  const keys = signers.map(({ keyPair }) => keyPair);
  return kit.getBase64EncodedWireTransaction(await kit.partiallySignTransaction(keys, transaction));
}

interface BuiltInstruction {
  readonly programId: string;
  readonly accounts: readonly {
    readonly pubkey: string;
    readonly isSigner: boolean;
    readonly isWritable: boolean;
  }[];
  readonly data: string;
}

/**
 * Puts the instructions of a build together in the documented order, as a client does.
 * @param built the body of `GET /swap/v2/build`
 * @returns the unsigned transaction as base64
 */
// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
export function assembleBuild(built: any, feePayer: kit.Address): string {
  const data = Buffer.alloc(5);
  data.writeUInt8(2, 0);
  data.writeUInt32LE(1_400_000, 1);
  const limit = { programId: COMPUTE_BUDGET, accounts: [], data: data.toString('base64') };
  const parts: readonly (BuiltInstruction | null)[] = [
    ...[limit, ...built.computeBudgetInstructions, ...built.setupInstructions, built.swapInstruction],
    ...[built.cleanupInstruction, ...built.otherInstructions, built.tipInstruction],
  ];
  const instructions = parts.filter((part) => part !== null).map(toInstruction);
  const { blockhash, lastValidBlockHeight } = built.blockhashWithMetadata;
  const lifetime = {
    blockhash: kit.getBase58Decoder().decode(Uint8Array.from(blockhash)) as kit.Blockhash,
    lastValidBlockHeight: BigInt(lastValidBlockHeight),
  };
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (each) => kit.setTransactionMessageFeePayer(feePayer, each),
    (each) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) => kit.appendTransactionMessageInstructions(instructions, each),
    (each) =>
      kit.compressTransactionMessageUsingAddressLookupTables(each, built.addressesByLookupTableAddress ?? {}),
  );
  return kit.getBase64EncodedWireTransaction(kit.compileTransaction(message));
}

function toInstruction({ programId, accounts, data }: BuiltInstruction): kit.Instruction {
  return {
    programAddress: kit.address(programId),
    accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
      address: kit.address(pubkey),
      role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
    })),
    data: Buffer.from(data, 'base64'),
  };
}
