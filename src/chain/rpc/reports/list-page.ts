import { OperatorError } from '../../../common/operator-error.ts';
import { parseSignature } from '../../../solana/messages/signature.ts';
import type { Address } from '../../../solana/address.ts';
import { requireRecord } from '../../records/account-json.ts';
import { requireList, requireText, requireU64 } from '../client/read-json.ts';
import { POLL, type RpcClient } from '../client/rpc-client.ts';

/** A transaction that a node lists for a program. */
export interface ListedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly hasFailed: boolean;
}

/** The most that nodes list at a time. */
export const PAGE = 1_000;

/**
 * Lists the confirmed transactions that mention a program, the newest first, at most `PAGE` of them.
 *
 * @param before - The signature after which the list goes on; null begins with the newest.
 * @throws ChainUnavailable when the node does not answer
 * @throws RpcRefusal when the node refuses the call
 * @throws OperatorError when the list cannot be true
 */
export async function listPage(
  client: Pick<RpcClient, 'call'>,
  program: Address,
  before: ListedTransaction | null,
): Promise<readonly ListedTransaction[]> {
  const config = {
    commitment: 'confirmed',
    limit: PAGE,
    ...(before === null ? {} : { before: before.signature }),
  };
  const read = (result: unknown) => requireList(result, 'result', readListed);
  const page = await client.call('getSignaturesForAddress', [program, config], read, POLL);
  requireOrder(before, page);
  return page;
}

/**
 * Tells whether the node has the transactions of a time, so that a list that ends before it means that there were none.
 *
 * @param time - Unix seconds.
 * @throws ChainUnavailable when the node does not answer
 * @throws RpcRefusal when the node refuses a call
 */
export async function keepsHistorySince(client: Pick<RpcClient, 'call'>, time: number): Promise<boolean> {
  const first = await client.call('getFirstAvailableBlock', [], (slot) => requireU64(slot, 'result'), POLL);
  // Not every node returns the time of the genesis block.
  if (first === 0n) return true;
  const readTime = (result: unknown) => (result === null ? null : requireU64(result, 'result'));
  const firstTime = await client.call('getBlockTime', [Number(first)], readTime, POLL);
  return firstTime !== null && Number(firstTime) <= time;
}

function readListed(json: unknown, path: string): ListedTransaction {
  const { signature, slot, err, blockTime } = requireRecord(json, path);
  const text = requireText(signature, `${path}.signature`);
  if (text.length > 88 || parseSignature(text) === null) {
    throw new OperatorError(`${path}.signature must be 64 bytes in base58`);
  }
  const time = Number(requireU64(blockTime, `${path}.blockTime`));
  return { signature: text, slot: requireU64(slot, `${path}.slot`), time, hasFailed: (err ?? null) !== null };
}

/** A list that goes round in a circle, or leads back to newer transactions, would never end. */
function requireOrder(before: ListedTransaction | null, page: readonly ListedTransaction[]): void {
  if (page.length > PAGE) throw new OperatorError(`the list may have ${PAGE} signatures, got ${page.length}`);
  const seen = new Set(before === null ? [] : [before.signature]);
  let newest = before?.slot ?? null;
  for (const { signature, slot } of page) {
    if (seen.has(signature)) throw new OperatorError(`the list has transaction ${signature} twice`);
    if (newest !== null && slot > newest) {
      throw new OperatorError(`the list has slot ${slot} after ${newest}, but must begin with the newest`);
    }
    seen.add(signature);
    newest = slot;
  }
}
