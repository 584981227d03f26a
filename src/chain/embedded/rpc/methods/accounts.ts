import { compareAddresses } from '../../../../solana/address.ts';
import { isTokenProgram } from '../../../../solana/program-addresses.ts';
import type { Account } from '../../../accounts.ts';
import type { Commitment } from '../../../chain.ts';
import type { AddressedAccount, AtSlot } from '../../../records/records.ts';
import { accountFormatOf, commitmentOf, field, flag, reachedCommitment, readFields } from '../config.ts';
import { inContext, type RpcContext } from '../context.ts';
import type { Handler } from '../dispatch.ts';
import { type AccountFormat, encodeAccount } from '../encoding/account.ts';
import { ErrorCode } from '../../../json-rpc/error-codes.ts';
import { invalidRequest, RpcError } from '../errors.ts';
import { passes, readFilters } from '../filters.ts';
import { atMost, type Params, readAddress, readArray, readBoolean, readSize } from '../params.ts';
import { type MintDisplays, mintDisplays } from '../parsed/mint-display.ts';

const MAX_ACCOUNTS = 100;
/** The runtime's limit on the data of one account. */
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;
/** The maximum account data in one answer. Its text takes a third more, and exists several times. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export function accountMethods(context: RpcContext): [string, Handler][] {
  return [
    ['getAccountInfo', (params) => getAccountInfo(context, params)],
    ['getMultipleAccounts', (params) => getMultipleAccounts(context, params)],
    ['getBalance', (params) => getBalance(context, params)],
    ['getProgramAccounts', (params) => getProgramAccounts(context, params)],
    ['getMinimumBalanceForRentExemption', (params) => getMinimumBalance(context, params)],
  ];
}

function getAccountInfo(context: RpcContext, params: Params) {
  const { bank } = context;
  atMost(params, 2);
  const address = readAddress(params[0], 'pubkey');
  const fields = readFields(params[1]);
  const format = accountFormatOf(fields, 'binary');
  const commitment = reachedCommitment(bank, fields);
  const { slot, value } = bank.getAccounts([address], commitment);
  const [account] = value;
  const mints = mintDisplays(bank, commitment);
  const encoded = account == null ? null : encodeAccount(address, account, format, mints);
  return inContext(context, { slot, value: encoded });
}

function getMultipleAccounts(context: RpcContext, params: Params) {
  const { bank } = context;
  atMost(params, 2);
  const addresses = readArray(params[0], 'pubkeys', MAX_ACCOUNTS, readAddress);
  const fields = readFields(params[1]);
  const format = accountFormatOf(fields, 'base64');
  const commitment = reachedCommitment(bank, fields);
  const { slot, value } = bank.getAccounts(addresses, commitment);
  requireAnswerable(value, format);
  const mints = mintDisplays(bank, commitment);
  const encoded = addresses.map((address, index) => {
    const account = value[index];
    return account == null ? null : encodeAccount(address, account, format, mints);
  });
  return inContext(context, { slot, value: encoded });
}

function getBalance(context: RpcContext, params: Params) {
  atMost(params, 2);
  const address = readAddress(params[0], 'pubkey');
  const commitment = reachedCommitment(context.bank, readFields(params[1]));
  const { slot, value } = context.bank.getAccounts([address], commitment);
  return inContext(context, { slot, value: value[0]?.lamports ?? 0n });
}

/** Rent is constant, so the commitment has no effect. */
function getMinimumBalance({ bank }: RpcContext, params: Params): bigint {
  atMost(params, 2);
  const length = readSize(params[0], 'dataLength');
  commitmentOf(readFields(params[1]));
  if (length > MAX_ACCOUNT_BYTES) {
    throw invalidRequest(
      `Invalid request: an account holds at most ${MAX_ACCOUNT_BYTES} bytes, got ${length}`,
    );
  }
  return bank.minimumBalanceForRentExemption(length);
}

function getProgramAccounts(context: RpcContext, params: Params) {
  const { bank } = context;
  atMost(params, 2);
  const program = readAddress(params[0], 'programId');
  const fields = readFields(params[1]);
  const filters = field(fields, 'filters', readFilters) ?? [];
  const sorted = field(fields, 'sortResults', readBoolean) ?? true;
  const format = accountFormatOf(fields, 'binary');
  const commitment = reachedCommitment(bank, fields);
  const { slot, value } = bank.programAccounts(program, commitment);
  const matching = value.filter(({ account }) => passes(filters, account.data));
  if (sorted) matching.sort((left, right) => compareAddresses(left.address, right.address));
  const parsedOnly = isTokenProgram(program) && format.encoding === 'jsonParsed';
  const accounts = keyedAccounts(matching, format, mintDisplays(bank, commitment), parsedOnly);
  return flag(fields, 'withContext') ? inContext(context, { slot, value: accounts }) : accounts;
}

/** Returns the token accounts of an owner, a delegate or a mint, sorted, in the requested format. */
export function tokenAccountsInContext(
  context: RpcContext,
  { slot, value }: AtSlot<AddressedAccount[]>,
  format: AccountFormat,
  commitment: Commitment,
) {
  const sorted = value.toSorted((left, right) => compareAddresses(left.address, right.address));
  const mints = mintDisplays(context.bank, commitment);
  const accounts = keyedAccounts(sorted, format, mints, format.encoding === 'jsonParsed');
  return inContext(context, { slot, value: accounts });
}

/**
 * Formats accounts with their addresses. `parsedOnly` leaves out unparseable ones, as the public interface does for
 * token accounts.
 */
function keyedAccounts(
  accounts: readonly AddressedAccount[],
  format: AccountFormat,
  mints: MintDisplays,
  parsedOnly: boolean,
) {
  requireAnswerable(
    accounts.map(({ account }) => account),
    format,
  );
  const keyed = accounts.map(({ address, account }) => ({
    pubkey: address,
    account: encodeAccount(address, account, format, mints),
  }));
  return parsedOnly ? keyed.filter(({ account }) => !Array.isArray(account.data)) : keyed;
}

function requireAnswerable(accounts: readonly (Account | null)[], { slice }: AccountFormat): void {
  let bytes = 0;
  for (const account of accounts) {
    const length = account?.data.length ?? 0;
    bytes += slice === null ? length : Math.min(slice.length, Math.max(0, length - slice.offset));
  }
  if (bytes <= MAX_ANSWER_BYTES) return;
  throw new RpcError(
    ErrorCode.SCAN,
    `${accounts.length} accounts have ${bytes} bytes of data; one answer carries at most ${MAX_ANSWER_BYTES}. ` +
      'Use filters or a dataSlice',
  );
}
