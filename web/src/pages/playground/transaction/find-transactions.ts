import { decodeBase64 } from '../../../base/base64.ts';
import { parseWireTransaction } from '../../../wallet/wire-transaction.ts';

/** A transaction in an answer. */
export interface FoundTransaction {
  /** Where it stands, such as `transactions[0].transaction`. */
  readonly path: string;
  /** Base64. */
  readonly transaction: string;
  /** The addresses that have to sign, in the order of the signatures. */
  readonly signers: readonly string[];
  readonly byteCount: number;
  /** The id with which an endpoint of the product executes it; null if the answer has none beside it. */
  readonly requestId: string | null;
}

const MAX_TRANSACTIONS = 20;
const MAX_DEPTH = 6;
/** In base64: no transaction is shorter than its signature and its first address, or longer than a packet. */
const [MIN_LENGTH, MAX_LENGTH] = [150, 1_644];

/** Finds the transactions of an answer: every text that is one, whatever its name is. */
export function findTransactions(json: unknown): readonly FoundTransaction[] {
  const found: FoundTransaction[] = [];
  collectTransactions(json, '', null, 0, found);
  return found.slice(0, MAX_TRANSACTIONS);
}

function collectTransactions(
  value: unknown,
  path: string,
  requestId: string | null,
  depth: number,
  found: FoundTransaction[],
): void {
  if (typeof value === 'string') {
    const transaction = parseTransactionText(value);
    // Some answers hold the same one under two names.
    if (transaction === null || found.some((each) => each.transaction === value)) return;
    found.push({ path, transaction: value, ...transaction, requestId });
    return;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || found.length >= MAX_TRANSACTIONS)
    return;
  const isList = Array.isArray(value);
  const own = isList ? null : Object.entries(value).find(([name]) => name === 'requestId')?.[1];
  const id = typeof own === 'string' ? own : requestId;
  for (const [name, member] of Object.entries(value)) {
    const inner = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    collectTransactions(member, inner, id, depth + 1, found);
  }
}

/** Returns what a text is as a transaction; null if it is none. */
export function parseTransactionText(text: string): Pick<FoundTransaction, 'signers' | 'byteCount'> | null {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return null;
  const bytes = decodeBase64(text);
  if (bytes === null) return null;
  try {
    return { signers: parseWireTransaction(bytes).signers, byteCount: bytes.length };
  } catch {
    return null;
  }
}
