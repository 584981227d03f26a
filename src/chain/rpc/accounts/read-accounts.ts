import { OperatorError } from '../../../common/operator-error.ts';
import type { Address } from '../../../solana/address.ts';
import { encodeBase58 } from '../../../solana/encoding/base58.ts';
import { accountOfJson, asRecord } from '../../account-json.ts';
import type { Account, AccountFilter, AccountUpdate, Commitment } from '../../chain.ts';
import { asAddress, asInContext } from '../client/read-json.ts';

/** As many as RPC nodes take in one `getMultipleAccounts`. */
export const ACCOUNTS_PER_CALL = 100;

/** How accounts are asked for, everywhere. */
export function accountConfig(commitment: Commitment, filter: AccountFilter = {}) {
  const { dataSize, holds } = filter;
  const filters = [
    ...(dataSize === undefined ? [] : [{ dataSize }]),
    ...(holds === undefined ? [] : [{ memcmp: { offset: holds.offset, bytes: encodeBase58(holds.bytes) } }]),
  ];
  return { encoding: 'base64', commitment, ...(filters.length === 0 ? {} : { filters }) };
}

/** An account without lamports is one that does not exist: notifications tell of closed accounts like that. */
export function readAccount(json: unknown, path: string): Account | null {
  if (json === null) return null;
  const { lamports } = asRecord(json, path);
  return lamports === 0 || lamports === '0' ? null : accountOfJson(json, path);
}

/** The result of `getMultipleAccounts`, in the order asked. */
export function readMultipleAccounts(result: unknown, addresses: readonly Address[]): AccountUpdate[] {
  const { slot, value } = asInContext(result);
  if (!Array.isArray(value) || value.length !== addresses.length) {
    throw new OperatorError(`result.value must be an array of ${addresses.length} accounts`);
  }
  return addresses.map((address, index) => ({
    address,
    slot,
    account: readAccount(value[index], `result.value[${index}]`),
  }));
}

/** The result of `getProgramAccounts` with its context. Accounts of another owner are refused: a filter was passed over. */
export function readProgramAccounts(result: unknown, program: Address): AccountUpdate[] {
  const { slot, value } = asInContext(result);
  if (!Array.isArray(value)) throw new OperatorError('result.value must be an array of accounts');
  return value.map((element: unknown, index) => readKeyed(element, `result.value[${index}]`, slot, program));
}

/** One account with its address: an element of `getProgramAccounts`, or what a program's subscription tells. */
export function readKeyed(element: unknown, path: string, slot: bigint, program: Address): AccountUpdate {
  const { pubkey, account: json } = asRecord(element, path);
  const account = readAccount(json, `${path}.account`);
  if (account !== null && account.owner !== program) {
    throw new OperatorError(`${path}.account.owner must be ${program}, got ${account.owner}`);
  }
  return { address: asAddress(pubkey, `${path}.pubkey`), slot, account };
}
