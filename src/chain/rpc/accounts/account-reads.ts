import { OperatorError } from '../../../common/operator-error.ts';
import type { Address } from '../../../solana/address.ts';
import { type AccountFilter, type AccountUpdate, ChainUnavailable, type Commitment } from '../../chain.ts';
import {
  ACCOUNTS_PER_CALL,
  accountConfig,
  readMultipleAccounts,
  readProgramAccounts,
} from './read-accounts.ts';
import { asInContext } from '../client/read-json.ts';
import { READ, type RpcClient, RpcRefusal, SCAN } from '../client/rpc-client.ts';

/** As many in each as one call takes. */
export function chunksOf<T>(elements: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let from = 0; from < elements.length; from += ACCOUNTS_PER_CALL) {
    chunks.push(elements.slice(from, from + ACCOUNTS_PER_CALL));
  }
  return chunks;
}

/**
 * So many accounts as one call takes, as of `minSlot` or a newer slot; `requirePossible` throws at one that cannot be.
 * @throws ChainUnavailable also when the RPC refuses: to whoever reads accounts that is the same
 */
export async function readAccounts(
  client: RpcClient,
  addresses: readonly Address[],
  commitment: Commitment,
  minSlot: bigint,
  requirePossible: (slot: bigint) => void,
): Promise<AccountUpdate[]> {
  const config = accountConfig(commitment);
  const params = [addresses, minSlot === 0n ? config : { ...config, minContextSlot: Number(minSlot) }];
  const read = (result: unknown) => {
    const updates = readMultipleAccounts(result, addresses);
    const [first] = updates;
    if (first !== undefined) requirePossible(first.slot);
    if (first === undefined || first.slot >= minSlot) return updates;
    throw new OperatorError(`accounts as of slot ${first.slot}, but was asked for ${minSlot} at least`);
  };
  try {
    return await client.call('getMultipleAccounts', params, read, READ);
  } catch (error) {
    throw error instanceof RpcRefusal ? new ChainUnavailable(error.message) : error;
  }
}

/** @throws ChainUnavailable, and OperatorError when the RPC does not give out accounts by program */
export async function readProgram(
  client: RpcClient,
  program: Address,
  commitment: Commitment,
  filter: AccountFilter,
  requirePossible: (slot: bigint) => void,
): Promise<AccountUpdate[]> {
  const params = [program, { ...accountConfig(commitment, filter), withContext: true }];
  const read = (result: unknown) => {
    requirePossible(asInContext(result).slot);
    return readProgramAccounts(result, program);
  };
  try {
    return await client.call('getProgramAccounts', params, read, SCAN);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw new OperatorError(
      `${client.origin} refuses getProgramAccounts of ${program}: ${error.message}; use an RPC that answers it, or name the pools by rpc-pool`,
    );
  }
}
