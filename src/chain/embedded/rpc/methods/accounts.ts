import { compareAddresses } from '../../../../solana/address.ts';
import { isTokenProgram } from '../../../../solana/programs.ts';
import type { Commitment } from '../../../chain.ts';
import type { AddressedAccount, AtSlot } from '../../records.ts';
import { accountFormatOf, commitmentOf, field, flag, reachedCommitment, readFields } from '../config.ts';
import { inContext, type RpcContext } from '../context.ts';
import type { Handler } from '../dispatch.ts';
import { type AccountFormat, encodeAccount } from '../encoding/account.ts';
import { ErrorCode, RpcError } from '../errors.ts';
import { passes, readFilters } from '../filters.ts';
import { atMost, readAddress, readArray, readBoolean, readSize } from '../params.ts';
import { type MintDisplays, mintDisplays } from '../parsed/mint-display.ts';

const MAX_ACCOUNTS = 100;
/** The runtime's bound on the data of one account. */
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;
/** Data that one answer may carry: its text takes a third more, several times over. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export function accountMethods(context: RpcContext): [string, Handler][] {
  const { bank } = context;
  return [
    [
      'getAccountInfo',
      (params) => {
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
      },
    ],
    [
      'getMultipleAccounts',
      (params) => {
        atMost(params, 2);
        const addresses = readArray(params[0], 'pubkeys', MAX_ACCOUNTS, readAddress);
        const fields = readFields(params[1]);
        const format = accountFormatOf(fields, 'base64');
        const commitment = reachedCommitment(bank, fields);
        const { slot, value } = bank.getAccounts(addresses, commitment);
        const mints = mintDisplays(bank, commitment);
        const found = addresses.flatMap((address, index) => {
          const account = value[index];
          return account == null ? [] : [{ address, account }];
        });
        requireAnswerable(found, format);
        const encoded = addresses.map((address, index) => {
          const account = value[index];
          return account == null ? null : encodeAccount(address, account, format, mints);
        });
        return inContext(context, { slot, value: encoded });
      },
    ],
    [
      'getBalance',
      (params) => {
        atMost(params, 2);
        const address = readAddress(params[0], 'pubkey');
        const { slot, value } = bank.getAccounts([address], reachedCommitment(bank, readFields(params[1])));
        return inContext(context, { slot, value: value[0]?.lamports ?? 0n });
      },
    ],
    ['getProgramAccounts', (params) => getProgramAccounts(context, params)],
    [
      'getMinimumBalanceForRentExemption',
      (params) => {
        atMost(params, 2);
        const length = readSize(params[0], 'dataLength');
        commitmentOf(readFields(params[1]));
        if (length > MAX_ACCOUNT_BYTES) {
          const message = `Invalid request: an account holds at most ${MAX_ACCOUNT_BYTES} bytes, got ${length}`;
          throw new RpcError(ErrorCode.INVALID_REQUEST, message);
        }
        return bank.minimumBalanceForRentExemption(length);
      },
    ],
  ];
}

function getProgramAccounts(context: RpcContext, params: readonly unknown[]): unknown {
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

/** Token accounts of an owner, a delegate or a mint, sorted, in the format asked for. */
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

/** `parsedOnly` leaves out what cannot be parsed, as the public interface does with accounts of token programs. */
function keyedAccounts(
  accounts: readonly AddressedAccount[],
  format: AccountFormat,
  mints: MintDisplays,
  parsedOnly: boolean,
) {
  requireAnswerable(accounts, format);
  const keyed = accounts.map(({ address, account }) => ({
    pubkey: address,
    account: encodeAccount(address, account, format, mints),
  }));
  return parsedOnly ? keyed.filter(({ account }) => !Array.isArray(account.data)) : keyed;
}

function requireAnswerable(accounts: readonly AddressedAccount[], { slice }: AccountFormat): void {
  let bytes = 0;
  for (const { account } of accounts) {
    const { length } = account.data;
    bytes += slice === null ? length : Math.min(slice.length, Math.max(0, length - slice.offset));
  }
  if (bytes <= MAX_ANSWER_BYTES) return;
  throw new RpcError(
    ErrorCode.SCAN,
    `${accounts.length} accounts have ${bytes} bytes of data; one answer carries at most ${MAX_ANSWER_BYTES}. ` +
      'Use filters or a dataSlice',
  );
}
