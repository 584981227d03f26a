import { MAX_ACCOUNT_DATA } from '../../../records/account-json.ts';
import {
  BYTES_PER_UNIT,
  visitInTurns,
  mapInTurns,
  sortInTurns,
  UNITS_PER_TURN,
  createUnaccountedWork,
} from '../../../../common/work/work.ts';
import { compareAddresses } from '../../../../solana/address.ts';
import { isTokenProgram } from '../../../../solana/program-addresses.ts';
import type { Account } from '../../../accounts.ts';
import type { Commitment } from '../../../chain.ts';
import type { AddressedAccount, AtSlot } from '../../../records/records.ts';
import {
  getAccountFormat,
  getCommitment,
  readConfigField,
  readConfigFlag,
  readReachedCommitment,
  readFields,
} from '../calls/config.ts';
import { wrapInContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import { type AccountFormat, encodeAccount } from '../calls/account.ts';
import { ErrorCode } from '../../../json-rpc/error-codes.ts';
import { RawJson, toJson } from '../../../json-rpc/json.ts';
import { NetworkRefused } from '../../ledger/bank.ts';
import { invalidRequest, RpcError } from '../../../json-rpc/rpc-errors.ts';
import { passesFilters, readFilters } from '../calls/filters.ts';
import {
  requireAtMost,
  type Params,
  readAddress,
  readArray,
  readBoolean,
  readSize,
} from '../calls/params.ts';
import { type MintDisplays, createMintDisplayLookup } from '../parsed/mint-display.ts';

const MAX_ACCOUNTS = 100;
/** The maximum account data in one answer. Its text takes a third more, and exists several times. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export function createAccountMethods(context: RpcContext): [string, Handler][] {
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
  requireAtMost(params, 2);
  const address = readAddress(params[0], 'pubkey');
  const fields = readFields(params[1]);
  const format = getAccountFormat(fields, 'binary');
  const commitment = readReachedCommitment(bank, fields);
  const { slot, value } = bank.getAccounts([address], commitment);
  const [account] = value;
  const mints = createMintDisplayLookup(bank, commitment);
  const encoded = account == null ? null : encodeAccount(address, account, format, mints);
  return wrapInContext(context, { slot, value: encoded });
}

function getMultipleAccounts(context: RpcContext, params: Params) {
  const { bank } = context;
  requireAtMost(params, 2);
  const addresses = readArray(params[0], 'pubkeys', MAX_ACCOUNTS, readAddress);
  const fields = readFields(params[1]);
  const format = getAccountFormat(fields, 'base64');
  const commitment = readReachedCommitment(bank, fields);
  const { slot, value } = bank.getAccounts(addresses, commitment);
  const bytes = new AnswerBytes(format);
  for (const account of value) bytes.add(account);
  bytes.requireAnswerable();
  const mints = createMintDisplayLookup(bank, commitment);
  const read = addresses.map((address, index) => ({ address, account: value[index] ?? null }));
  const encode = ({ address, account }: (typeof read)[number]) =>
    account === null ? null : encodeAccount(address, account, format, mints);
  if (bytes.fitTurn()) return wrapInContext(context, { slot, value: read.map(encode) });
  return writeInTurns(read, encode).then((text) => wrapInContext(context, { slot, value: text }));
}

/** Writes accounts whose data is long, or that are many. */
async function writeInTurns<Read extends { readonly account: Account | null }>(
  read: readonly Read[],
  encode: (each: Read) => unknown,
): Promise<RawJson> {
  const bytesOf = ({ account }: Read) => account?.data.length ?? 0;
  const texts = await mapInTurns(createUnaccountedWork(), read, (each) => toJson(encode(each)), bytesOf);
  return new RawJson(`[${texts.join(',')}]`);
}

function getBalance(context: RpcContext, params: Params) {
  requireAtMost(params, 2);
  const address = readAddress(params[0], 'pubkey');
  const commitment = readReachedCommitment(context.bank, readFields(params[1]));
  const { slot, value } = context.bank.getAccounts([address], commitment);
  return wrapInContext(context, { slot, value: value[0]?.lamports ?? 0n });
}

/** Rent is constant, so the commitment has no effect. */
function getMinimumBalance({ bank }: RpcContext, params: Params): bigint {
  requireAtMost(params, 2);
  const length = readSize(params[0], 'dataLength');
  getCommitment(readFields(params[1]));
  if (length > MAX_ACCOUNT_DATA) {
    throw invalidRequest(
      `Invalid request: an account holds at most ${MAX_ACCOUNT_DATA} bytes, got ${length}`,
    );
  }
  return bank.minimumBalanceForRentExemption(length);
}

async function getProgramAccounts(context: RpcContext, params: Params) {
  const { bank } = context;
  requireAtMost(params, 2);
  const program = readAddress(params[0], 'programId');
  const fields = readFields(params[1]);
  const filters = readConfigField(fields, 'filters', readFilters) ?? [];
  const isSorted = readConfigField(fields, 'sortResults', readBoolean) ?? true;
  const format = getAccountFormat(fields, 'binary');
  const commitment = readReachedCommitment(bank, fields);
  const { slot, value } = bank.eachProgramAccount(program, commitment);
  const accounts = await keyedAccounts(value, format, createMintDisplayLookup(bank, commitment), {
    isSorted,
    parsedOnly: isTokenProgram(program) && format.encoding === 'jsonParsed',
    matches: ({ data }) => passesFilters(filters, data),
  });
  return readConfigFlag(fields, 'withContext') ? wrapInContext(context, { slot, value: accounts }) : accounts;
}

/** Returns the token accounts of an owner, a delegate or a mint, sorted, in the requested format. */
export async function formatTokenAccounts(
  context: RpcContext,
  { slot, value }: AtSlot<Iterable<AddressedAccount>>,
  format: AccountFormat,
  commitment: Commitment,
) {
  const mints = createMintDisplayLookup(context.bank, commitment);
  const parsedOnly = format.encoding === 'jsonParsed';
  const accounts = await keyedAccounts(value, format, mints, { isSorted: true, parsedOnly });
  return wrapInContext(context, { slot, value: accounts });
}

interface KeyedOptions {
  readonly isSorted: boolean;
  /** Leaves out unparseable accounts, as the public interface does for token accounts. */
  readonly parsedOnly: boolean;
  /** Default: all of them. */
  readonly matches?: (account: Account) => boolean;
}

/** Finds, sorts and writes accounts with their addresses, in turns: there can be any number of them. */
async function keyedAccounts(
  accounts: Iterable<AddressedAccount>,
  format: AccountFormat,
  mints: MintDisplays,
  { isSorted, parsedOnly, matches = () => true }: KeyedOptions,
): Promise<RawJson> {
  const work = createUnaccountedWork();
  const found: AddressedAccount[] = [];
  const bytes = new AnswerBytes(format);
  await visitInTurns(work, iterateWhileKept(accounts), (each) => {
    if (!matches(each.account)) return;
    found.push(each);
    bytes.add(each.account);
  });
  bytes.requireAnswerable();
  const byAddress = (left: AddressedAccount, right: AddressedAccount) =>
    compareAddresses(left.address, right.address);
  const sorted = isSorted ? await sortInTurns(work, found, byAddress) : found;
  const texts: string[] = [];
  await visitInTurns(
    work,
    sorted,
    ({ address, account }) => {
      const encoded = encodeAccount(address, account, format, mints);
      if (parsedOnly && Array.isArray(encoded.data)) return;
      texts.push(toJson({ pubkey: address, account: encoded }));
    },
    ({ account }) => account.data.length,
  );
  return new RawJson(`[${texts.join(',')}]`);
}

/** Reading many accounts can take longer than the state of a slot is kept. */
export function* iterateWhileKept(accounts: Iterable<AddressedAccount>): Generator<AddressedAccount> {
  try {
    yield* accounts;
  } catch (error) {
    if (!(error instanceof NetworkRefused && error.kind === 'gone')) throw error;
    throw new RpcError(
      ErrorCode.SCAN,
      'The accounts were not read before their slot was forgotten; try again',
    );
  }
}

/** Adds up the data of an answer. */
class AnswerBytes {
  readonly #format: AccountFormat;
  #accounts = 0;
  #bytes = 0;

  constructor(format: AccountFormat) {
    this.#format = format;
  }

  add(account: Account | null): void {
    const { slice } = this.#format;
    const length = account?.data.length ?? 0;
    this.#accounts++;
    this.#bytes += slice === null ? length : Math.min(slice.length, Math.max(0, length - slice.offset));
  }

  /** Whether the accounts can be written in one turn. */
  fitTurn(): boolean {
    return this.#accounts <= UNITS_PER_TURN && this.#bytes <= UNITS_PER_TURN * BYTES_PER_UNIT;
  }

  requireAnswerable(): void {
    if (this.#bytes <= MAX_ANSWER_BYTES) return;
    throw new RpcError(
      ErrorCode.SCAN,
      `${this.#accounts} accounts have ${this.#bytes} bytes of data; one answer carries at most ${MAX_ANSWER_BYTES}. ` +
        'Use filters or a dataSlice',
    );
  }
}
