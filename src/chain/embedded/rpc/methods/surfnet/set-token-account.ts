import type { Address } from '../../../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../../../solana/pda.ts';
import {
  isTokenProgram,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../../../solana/program-addresses.ts';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  isTokenAccount,
  type TokenAccount,
} from '../../../../../solana/programs/token/account.ts';
import { listNewAccountExtensions } from '../../../../../solana/programs/token/associated-size.ts';
import { hasFrozenNewAccounts } from '../../../../../solana/programs/token/extensions.ts';
import { decodeMint, isMint } from '../../../../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../../../../solana/rent.ts';
import { U64_MAX } from '../../../../../solana/units.ts';
import type { Account } from '../../../../accounts.ts';
import type { Bank } from '../../../ledger/bank.ts';
import { readConfigField } from '../../calls/config.ts';
import { wrapInContext, type RpcContext } from '../../calls/context.ts';
import { invalidParams } from '../../../../json-rpc/rpc-errors.ts';
import {
  requireAtMost,
  createEnumReader,
  readOptionalParam,
  type Params,
  readAddress,
  readU64,
} from '../../calls/params.ts';
import { readKnownFields } from './known-fields.ts';

const MEMBERS = ['amount', 'delegate', 'state', 'delegatedAmount', 'closeAuthority'] as const;

/**
 * Sets the given fields of a wallet's associated token account, and creates the account if it does not exist. The supply
 * of the mint does not change.
 */
export function setTokenAccount(context: RpcContext, params: Params) {
  requireAtMost(params, 4);
  const { bank } = context;
  const owner = readAddress(params[0], 'owner');
  const mint = readAddress(params[1], 'mint');
  const update = readUpdate(params[2]);
  const held = requireNetworkMint(bank, mint, readOptionalParam(params[3], 'tokenProgram', readAddress));
  const address = deriveAssociatedTokenAddress(owner, mint, held.owner);
  const current = bank.getAccount(address, 'processed');
  const before =
    current === null ? newAccount(owner, mint, held) : requireTokensOfMint(address, mint, current);
  const account = encoded(held.owner, current, { ...before, ...update });
  const slot = bank.admin.setAccounts([{ address, account }]);
  return wrapInContext(context, { slot, value: null });
}

type SetTokenAccountUpdate = Partial<
  Pick<TokenAccount, 'amount' | 'delegate' | 'state' | 'delegatedAmount' | 'closeAuthority'>
>;

function readUpdate(value: unknown): SetTokenAccountUpdate {
  const fields = readKnownFields(value, 'update', MEMBERS);
  const read = {
    amount: readConfigField(fields, 'amount', readU64, 'update.amount'),
    delegate: readConfigField(fields, 'delegate', readAddressOrNone, 'update.delegate'),
    state: readConfigField(fields, 'state', createEnumReader(['initialized', 'frozen']), 'update.state'),
    delegatedAmount: readConfigField(fields, 'delegatedAmount', readU64, 'update.delegatedAmount'),
    closeAuthority: readConfigField(fields, 'closeAuthority', readAddressOrNone, 'update.closeAuthority'),
  };
  return Object.fromEntries(Object.entries(read).filter(([, given]) => given !== undefined));
}

/** Surfpool removes an address with the text `null`; null itself leaves it as it is. */
function readAddressOrNone(value: unknown, name: string): Address | null {
  return value === 'null' ? null : readAddress(value, name);
}

function requireNetworkMint(bank: Bank, mint: Address, tokenProgram: Address | undefined): Account {
  const account = bank.getAccount(mint, 'processed');
  if (account === null || !isTokenProgram(account.owner) || !isMint(account.data))
    throw invalidParams(`${mint} is not a mint of this network`);
  if (tokenProgram !== undefined && tokenProgram !== account.owner)
    throw invalidParams(`tokenProgram must be ${account.owner}, which owns the mint, got ${tokenProgram}`);
  return account;
}

/** Returns the account that the associated-token program would create. */
function newAccount(owner: Address, mint: Address, held: Account): TokenAccount {
  const setup = decodeMint(held.data);
  const isFrozen = hasFrozenNewAccounts(setup.extensions);
  const base: TokenAccount = {
    mint,
    owner,
    amount: 0n,
    delegate: null,
    state: isFrozen ? 'frozen' : 'initialized',
    nativeReserve: null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: held.owner === TOKEN_2022_PROGRAM ? listNewAccountExtensions(setup) : [],
  };
  if (mint !== WRAPPED_SOL_MINT) return base;
  return { ...base, nativeReserve: computeRentExemptMinimum(encodeTokenAccount(base).length) };
}

function requireTokensOfMint(address: Address, mint: Address, { owner, data }: Account): TokenAccount {
  const tokens = isTokenProgram(owner) && isTokenAccount(data) ? decodeTokenAccount(data) : null;
  if (tokens?.mint === mint) return tokens;
  throw invalidParams(`${address} has other content; delete it with surfnet_setAccount and {"lamports": 0}`);
}

/** Encodes the account with the lamports that it needs: its rent, and for wrapped SOL also the amount. */
function encoded(tokenProgram: Address, current: Account | null, tokens: TokenAccount): Account {
  const data = encodeTokenAccount(tokens);
  const rent = computeRentExemptMinimum(data.length);
  const kept = current !== null && current.lamports > rent ? current.lamports : rent;
  const lamports = tokens.nativeReserve === null ? kept : tokens.nativeReserve + tokens.amount;
  if (lamports > U64_MAX)
    throw invalidParams(`update.amount must leave room for the rent of ${tokens.nativeReserve} lamports`);
  return {
    lamports,
    owner: tokenProgram,
    data,
    executable: false,
    rentEpoch: current?.rentEpoch ?? U64_MAX,
  };
}
