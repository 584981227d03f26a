import { callRpc } from '../../../api/network.ts';
import { UnreadableError } from '../../../api/call.ts';
import { shape, type ShapeValue } from '../../../base/json-shape.ts';

const readKey = shape.object({ pubkey: shape.text });

const readTransaction = shape.object({
  transaction: shape.object({ signatures: shape.list(shape.text), accountKeys: shape.list(readKey) }),
  meta: shape.nullable(shape.object({ err: (value: unknown) => value ?? null, fee: shape.number })),
});

const readBlock = shape.object({
  blockhash: shape.text,
  previousBlockhash: shape.text,
  parentSlot: shape.number,
  blockHeight: shape.nullable(shape.number),
  blockTime: shape.nullable(shape.number),
  signatures: shape.optional(shape.list(shape.text), []),
  transactions: shape.optional(shape.list(readTransaction), []),
});

/** A transaction of a block. What an outside RPC would have to send megabytes for is null. */
export interface BlockTransaction {
  readonly signature: string;
  readonly feePayer: string | null;
  readonly fee: number | null;
  readonly isFailed: boolean | null;
}

/** A block and its transactions, in their order. */
export interface ReadBlock extends Omit<ShapeValue<typeof readBlock>, 'signatures' | 'transactions'> {
  readonly transactions: readonly BlockTransaction[];
}

/**
 * Reads a block.
 *
 * @param isOutside - An outside RPC is asked for the signatures only.
 * @throws ApiError if the network refuses, in its words
 * @throws UnreadableError if the answer is none
 */
export async function fetchBlock(slot: number, isOutside: boolean): Promise<ReadBlock | null> {
  const answer = await callRpc<unknown>('getBlock', [
    slot,
    {
      commitment: 'confirmed',
      encoding: 'base64',
      transactionDetails: isOutside ? 'signatures' : 'accounts',
      rewards: false,
      maxSupportedTransactionVersion: 0,
    },
  ]);
  return answer === null ? null : toBlock(answer);
}

/** Converts the answer of `getBlock`. @throws UnreadableError if it is none */
export function toBlock(answer: unknown): ReadBlock {
  try {
    const { signatures, transactions, ...block } = readBlock(answer);
    const listed = signatures.map((signature) => ({ signature, feePayer: null, fee: null, isFailed: null }));
    const known = transactions.map(({ transaction, meta }) => ({
      signature: transaction.signatures[0] ?? '',
      feePayer: transaction.accountKeys[0]?.pubkey ?? null,
      fee: meta?.fee ?? null,
      isFailed: meta === null ? null : meta.err !== null,
    }));
    return { ...block, transactions: known.length > 0 ? known : listed };
  } catch {
    throw new UnreadableError('a block');
  }
}
