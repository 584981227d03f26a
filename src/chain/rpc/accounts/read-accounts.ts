import { OperatorError } from '../../../common/operator-error.ts';
import { mapInTurns, type Work } from '../../../common/work/work.ts';
import type { Address } from '../../../solana/address.ts';
import { encodeBase58 } from '../../../solana/encoding/base58.ts';
import { readAccountJson, requireRecord } from '../../records/account-json.ts';
import type { Account, AccountFilter, AccountUpdate } from '../../accounts.ts';
import type { Commitment } from '../../chain.ts';
import { requireAddressText, requireInContext } from '../client/read-json.ts';

/** The maximum number of accounts that RPC nodes accept in one `getMultipleAccounts` call. */
export const ACCOUNTS_PER_CALL = 100;

/** Returns the configuration object of all calls and subscriptions that return accounts. */
export function createAccountConfig(commitment: Commitment, filter: AccountFilter = {}) {
  const { dataSize, memcmp: holds } = filter;
  const filters = [
    ...(dataSize === undefined ? [] : [{ dataSize }]),
    ...(holds === undefined ? [] : [{ memcmp: { offset: holds.offset, bytes: encodeBase58(holds.bytes) } }]),
  ];
  return { encoding: 'base64', commitment, ...(filters.length === 0 ? {} : { filters }) };
}

/** Reads an account. One without lamports does not exist: notifications report closed accounts in this form. */
export function readAccount(json: unknown, path: string): Account | null {
  if (json === null) return null;
  const { lamports } = requireRecord(json, path);
  return lamports === 0 || lamports === '0' ? null : readAccountJson(json, path);
}

/** Reads the result of `getMultipleAccounts` for these addresses. */
export function readMultipleAccounts(result: unknown, addresses: readonly Address[]): AccountUpdate[] {
  const { slot, value } = requireAccountList(result, addresses);
  return addresses.map((address, index) => readPlaced(value[index], address, index, slot));
}

/** Reads the same in turns, for many of them. */
export async function readMultipleAccountsInTurns(
  result: unknown,
  addresses: readonly Address[],
  work: Work,
): Promise<AccountUpdate[]> {
  const { slot, value } = requireAccountList(result, addresses);
  return mapInTurns(work, addresses, (address, index) => readPlaced(value[index], address, index, slot));
}

function requireAccountList(result: unknown, addresses: readonly Address[]) {
  const { slot, value } = requireInContext(result);
  if (!Array.isArray(value) || value.length !== addresses.length) {
    throw new OperatorError(`result.value must be an array of ${addresses.length} accounts`);
  }
  return { slot, value: value as readonly unknown[] };
}

function readPlaced(element: unknown, address: Address, index: number, slot: bigint): AccountUpdate {
  return { address, slot, account: readAccount(element, `result.value[${index}]`) };
}

/**
 * Reads the result of `getProgramAccounts` with its context, in turns.
 *
 * @throws OperatorError also for an account with another owner, because the node then ignored the request's program.
 */
export async function readProgramAccountsInTurns(
  result: unknown,
  program: Address,
  work: Work,
): Promise<AccountUpdate[]> {
  const { slot, value } = requireInContext(result);
  if (!Array.isArray(value)) throw new OperatorError('result.value must be an array of accounts');
  return mapInTurns(work, value as unknown[], (element, index) =>
    readKeyed(element, `result.value[${index}]`, slot, program),
  );
}

/** Reads an account with its address: an element of `getProgramAccounts`, or a notification of `programSubscribe`. */
export function readKeyed(element: unknown, path: string, slot: bigint, program: Address): AccountUpdate {
  const { pubkey, account: json } = requireRecord(element, path);
  const account = readAccount(json, `${path}.account`);
  if (account !== null && account.owner !== program) {
    throw new OperatorError(`${path}.account.owner must be ${program}, got ${account.owner}`);
  }
  return { address: requireAddressText(pubkey, `${path}.pubkey`), slot, account };
}
