import { visitInTurns, createUnaccountedWork } from '../../../../common/work/work.ts';
import type { Address } from '../../../../solana/address.ts';
import { LayoutInvalid } from '../../../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../../../solana/program-addresses.ts';
import { decodeTokenAccount, readTokenAccountAmount } from '../../../../solana/programs/token/account.ts';
import { decodeMint } from '../../../../solana/programs/token/mint.ts';
import { compareAmounts } from '../../../../solana/units.ts';
import type { Commitment } from '../../../chain.ts';
import type { Bank, TokenAccountFilter } from '../../ledger/bank.ts';
import { getAccountFormat, getCommitment, readReachedCommitment, readFields } from '../calls/config.ts';
import { wrapInContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';
import { requireAtMost, type Params, readAddress, readObject } from '../calls/params.ts';
import {
  type MintDisplay,
  getMintDisplay,
  toUiTokenAmount,
} from '../../../../solana/programs/token/display-amount.ts';
import { getChainTime, createMintDisplayLookup } from '../parsed/mint-display.ts';
import { formatTokenAccounts, iterateWhileKept } from './accounts.ts';

/** The number of accounts that `getTokenLargestAccounts` returns. */
const MAX_LARGEST = 20;

export function createTokenMethods(context: RpcContext): [string, Handler][] {
  return [
    ['getTokenAccountsByOwner', (params) => tokenAccountsBy('owner', context, params)],
    ['getTokenAccountsByDelegate', (params) => tokenAccountsBy('delegate', context, params)],
    ['getTokenAccountBalance', (params) => getTokenAccountBalance(context, params)],
    ['getTokenSupply', (params) => getTokenSupply(context, params)],
    ['getTokenLargestAccounts', (params) => getTokenLargestAccounts(context, params)],
  ];
}

function getTokenAccountBalance(context: RpcContext, params: Params) {
  const { bank } = context;
  requireAtMost(params, 2);
  const address = readAddress(params[0], 'pubkey');
  const commitment = getCommitment(readFields(params[1]));
  const { slot, value } = bank.getAccounts([address], commitment);
  const [account] = value;
  if (account == null) throw invalidParams('could not find account');
  if (!isTokenProgram(account.owner)) throw invalidParams('not a Token account');
  const { mint, amount } = layoutOr('not a Token account', () => decodeTokenAccount(account.data));
  const display = createMintDisplayLookup(bank, commitment)(mint);
  if (display === null) throw invalidParams('could not find mint');
  return wrapInContext(context, { slot, value: toUiTokenAmount(amount, display) });
}

function getTokenSupply(context: RpcContext, params: Params) {
  const { bank } = context;
  requireAtMost(params, 2);
  const address = readAddress(params[0], 'mint');
  const commitment = getCommitment(readFields(params[1]));
  const { slot, value } = bank.getAccounts([address], commitment);
  const [account] = value;
  if (account == null) throw invalidParams('could not find account');
  if (!isTokenProgram(account.owner)) throw invalidParams('not a Token mint');
  const supply = layoutOr('mint could not be unpacked', () => {
    const mint = decodeMint(account.data);
    return toUiTokenAmount(mint.supply, getMintDisplay(mint, getChainTime(bank, commitment)));
  });
  return wrapInContext(context, { slot, value: supply });
}

async function getTokenLargestAccounts(context: RpcContext, params: Params) {
  const { bank } = context;
  requireAtMost(params, 2);
  const mint = readAddress(params[0], 'mint');
  const commitment = getCommitment(readFields(params[1]));
  const display = readMint(bank, mint, commitment);
  const { slot, value } = bank.eachTokenAccount({ by: 'mint', mint }, commitment);
  let found: { readonly address: Address; readonly amount: bigint }[] = [];
  const keepLargest = () => {
    found = found.sort((left, right) => compareAmounts(right.amount, left.amount)).slice(0, MAX_LARGEST);
  };
  await visitInTurns(createUnaccountedWork(), iterateWhileKept(value), ({ address, account }) => {
    found.push({ address, amount: readTokenAccountAmount(account.data) });
    if (found.length > 2 * MAX_LARGEST) keepLargest();
  });
  keepLargest();
  const largest = found.map(({ address, amount }) => ({ address, ...toUiTokenAmount(amount, display) }));
  return wrapInContext(context, { slot, value: largest });
}

function tokenAccountsBy(by: 'owner' | 'delegate', context: RpcContext, params: Params) {
  const { bank } = context;
  requireAtMost(params, 3);
  const address = readAddress(params[0], by);
  const fields = readFields(params[2]);
  const format = getAccountFormat(fields, 'binary');
  const commitment = readReachedCommitment(bank, fields);
  const filter = {
    by,
    address,
    ...readMintOrProgram(bank, params[1], commitment),
  } satisfies TokenAccountFilter;
  return formatTokenAccounts(context, bank.eachTokenAccount(filter, commitment), format, commitment);
}

/** Reads `{mint}` or `{programId}`. The mint must exist, and the program must be a token program. */
function readMintOrProgram(
  bank: Bank,
  value: unknown,
  commitment: Commitment,
): { readonly mint: Address } | { readonly program: Address } {
  const fields = readObject(value, 'filter');
  const [kind] = Object.keys(fields);
  if (Object.keys(fields).length !== 1 || (kind !== 'mint' && kind !== 'programId')) {
    throw invalidParams('filter must be {"mint": address} or {"programId": address}');
  }
  if (kind === 'mint') {
    const mint = readAddress(fields.mint, 'filter.mint');
    readMint(bank, mint, commitment);
    return { mint };
  }
  const program = readAddress(fields.programId, 'filter.programId');
  if (!isTokenProgram(program)) throw invalidParams('unrecognized Token program id');
  return { program };
}

/** Reads a mint. The wrapped-SOL mint is accepted even if its account does not exist. */
function readMint(bank: Bank, mint: Address, commitment: Commitment): MintDisplay {
  const display = createMintDisplayLookup(bank, commitment)(mint);
  if (display !== null) return display;
  throw invalidParams(
    bank.getAccount(mint, commitment) === null ? 'could not find mint' : 'not a Token mint',
  );
}

function layoutOr<T>(message: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof LayoutInvalid) throw invalidParams(message);
    throw error;
  }
}
