import { OperatorError } from '../../../common/operator-error.ts';
import { createUnaccountedWork } from '../../../common/work/work.ts';
import type { Address } from '../../../solana/address.ts';
import type { AccountFilter, AccountUpdate } from '../../accounts.ts';
import { ChainUnavailable, type Commitment } from '../../chain.ts';
import {
  ACCOUNTS_PER_CALL,
  createAccountConfig,
  readMultipleAccountsInTurns,
  readProgramAccountsInTurns,
} from './read-accounts.ts';
import { parseAccountsInTurns } from '../client/long-lists.ts';
import { requireInContext } from '../client/read-json.ts';
import { type CallPolicy, READ, type RpcClient, RpcRefusal, SCAN } from '../client/rpc-client.ts';

/** Splits a list into chunks that fit into one call. */
export function splitIntoChunks<T>(elements: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let from = 0; from < elements.length; from += ACCOUNTS_PER_CALL) {
    chunks.push(elements.slice(from, from + ACCOUNTS_PER_CALL));
  }
  return chunks;
}

/**
 * Reads accounts with one call.
 *
 * @param addresses - At most `ACCOUNTS_PER_CALL`.
 * @param minSlot - The oldest acceptable slot.
 * @param requirePlausible - Throws `OperatorError` for a slot that the network cannot have reached.
 * @param policy - Default `READ`.
 * @throws ChainUnavailable when there is no valid answer, or the RPC refuses the call.
 */
export async function readAccounts(
  client: Pick<RpcClient, 'call'>,
  addresses: readonly Address[],
  commitment: Commitment,
  minSlot: bigint,
  requirePlausible: (slot: bigint) => void,
  policy: CallPolicy = READ,
): Promise<AccountUpdate[]> {
  const config = createAccountConfig(commitment);
  const params = [addresses, minSlot === 0n ? config : { ...config, minContextSlot: Number(minSlot) }];
  const work = createUnaccountedWork();
  const read = async (result: unknown) => {
    const updates = await readMultipleAccountsInTurns(result, addresses, work);
    const [first] = updates;
    if (first !== undefined) requirePlausible(first.slot);
    if (first === undefined || first.slot >= minSlot) return updates;
    throw new OperatorError(`accounts as of slot ${first.slot}, but was asked for ${minSlot} at least`);
  };
  try {
    return await client.call('getMultipleAccounts', params, read, policy, (text) =>
      parseAccountsInTurns(text, work),
    );
  } catch (error) {
    throw error instanceof RpcRefusal ? new ChainUnavailable(error.message) : error;
  }
}

/**
 * Reads all accounts of a program that match the filter.
 *
 * @param requirePlausible - Throws `OperatorError` for a slot that the network cannot have reached.
 * @throws ChainUnavailable when there is no valid answer.
 * @throws OperatorError when the RPC refuses `getProgramAccounts`.
 */
export async function readProgram(
  client: RpcClient,
  program: Address,
  commitment: Commitment,
  filter: AccountFilter,
  requirePlausible: (slot: bigint) => void,
): Promise<AccountUpdate[]> {
  const params = [program, { ...createAccountConfig(commitment, filter), withContext: true }];
  const work = createUnaccountedWork();
  const read = (result: unknown) => {
    requirePlausible(requireInContext(result).slot);
    return readProgramAccountsInTurns(result, program, work);
  };
  try {
    return await client.call('getProgramAccounts', params, read, SCAN, (text) =>
      parseAccountsInTurns(text, work),
    );
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw new OperatorError(
      `${client.origin} refuses getProgramAccounts of ${program}: ${error.message}; use an RPC that answers it, or name the pools by rpc-pool`,
    );
  }
}
