import type { Address } from '../../../../solana/address.ts';
import { messageAccounts } from '../../../../solana/messages/message.ts';
import { readSentTransaction } from '../../../../solana/messages/transaction.ts';
import type { Account } from '../../../accounts.ts';
import type { Commitment } from '../../../chain.ts';
import type { TransactionSimulation } from '../../../records/records.ts';
import { type Fields, field, flag, readFields, reachedCommitment } from '../calls/config.ts';
import { inContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import { ACCOUNT_ENCODINGS, type AccountEncoding, encodeAccount } from '../calls/account.ts';
import { invalidParams, signatureFailure } from '../../../json-rpc/rpc-errors.ts';
import {
  atMost,
  oneOf,
  type Params,
  readAddress,
  readArray,
  readObject,
  readString,
} from '../calls/params.ts';
import { mintDisplays } from '../parsed/mint-display.ts';
import { encodeSimulation } from '../wire/simulation.ts';
import { binaryEncodingOf, decodeWire } from '../wire/wire.ts';

/** The maximum number of accounts of a transaction. */
const MAX_ACCOUNTS = 64;

interface WantedAccounts {
  readonly addresses: readonly Address[];
  readonly encoding: AccountEncoding;
}

export function simulateMethods(context: RpcContext): [string, Handler][] {
  return [['simulateTransaction', (params) => simulateTransaction(context, params)]];
}

function simulateTransaction(context: RpcContext, params: Params) {
  const { bank } = context;
  atMost(params, 2);
  const fields = readFields(params[1]);
  const wire = decodeWire(readString(params[0], 'transaction'), binaryEncodingOf(fields), 'transaction');
  const verifySignatures = flag(fields, 'sigVerify');
  const replaceBlockhash = flag(fields, 'replaceRecentBlockhash');
  if (verifySignatures && replaceBlockhash) {
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  }
  const wanted = readWantedAccounts(fields);
  const withInner = flag(fields, 'innerInstructions');
  const commitment = reachedCommitment(bank, fields);
  const accounts = wanted?.addresses ?? [];
  const outcome = bank.simulate(wire, { commitment, verifySignatures, replaceBlockhash, accounts });
  if (outcome.kind === 'malformed')
    throw invalidParams(`failed to deserialize transaction: ${outcome.reason}`);
  const { simulation, slot } = outcome;
  if (verifySignatures && simulation.error === 'SignatureFailure') throw signatureFailure();
  const value = encodeSimulation(simulation, {
    accounts: wanted === null ? null : showAccounts(context, wanted, simulation, commitment),
    innerInstructionsOver: withInner ? accountsOf(wire, simulation) : null,
  });
  return inContext(context, { slot, value });
}

/** Returns the accounts of inner instructions. A simulation that failed before it loaded accounts has none. */
function accountsOf(wire: Uint8Array, { loadedAddresses }: TransactionSimulation): readonly Address[] {
  return messageAccounts(readSentTransaction(wire).transaction.message, loadedAddresses);
}

function readWantedAccounts(fields: Fields): WantedAccounts | null {
  const accounts = field(fields, 'accounts', readObject);
  if (accounts === undefined) return null;
  const name = 'config.accounts.encoding';
  const encoding = field(accounts, 'encoding', oneOf(ACCOUNT_ENCODINGS), name) ?? 'base64';
  if (encoding === 'binary' || encoding === 'base58') throw invalidParams('base58 encoding not supported');
  const addresses = readArray(accounts.addresses, 'config.accounts.addresses', MAX_ACCOUNTS, readAddress);
  return { addresses, encoding };
}

/** Formats the accounts after the transaction. All are null when it failed. */
function showAccounts(
  { bank }: RpcContext,
  { addresses, encoding }: WantedAccounts,
  simulation: TransactionSimulation,
  commitment: Commitment,
) {
  const most = simulation.preBalances.length;
  if (addresses.length > most) throw invalidParams(`too many accounts: ${addresses.length}; max ${most}`);
  if (simulation.error !== null) return addresses.map(() => null);
  const after = new Map<Address, Account | null>();
  for (const [index, address] of addresses.entries()) after.set(address, simulation.accounts[index] ?? null);
  const mints = mintDisplays(bank, commitment, after);
  return addresses.map((address) => {
    const account = after.get(address) ?? null;
    return account === null ? null : encodeAccount(address, account, { encoding, slice: null }, mints);
  });
}
