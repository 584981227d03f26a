import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import type { Address } from '../../../../solana/address.ts';
import { listMessageAccounts } from '../../../../solana/messages/message.ts';
import { readSentTransaction } from '../../../../solana/messages/transaction.ts';
import type { Account } from '../../../accounts.ts';
import type { Commitment } from '../../../chain.ts';
import type { TransactionSimulation } from '../../../records/records.ts';
import {
  type ConfigFields,
  readConfigField,
  readConfigFlag,
  readFields,
  readReachedCommitment,
} from '../calls/config.ts';
import { wrapInContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import { ACCOUNT_ENCODINGS, type AccountEncoding, encodeAccount } from '../calls/account.ts';
import { invalidParams, signatureFailure } from '../../../json-rpc/rpc-errors.ts';
import {
  requireAtMost,
  createEnumReader,
  type Params,
  readAddress,
  readArray,
  readObject,
  readString,
} from '../calls/params.ts';
import { createMintDisplayLookup } from '../parsed/mint-display.ts';
import { encodeSimulation } from '../wire/simulation.ts';
import { readBinaryEncoding, decodeWire } from '../wire/wire.ts';

interface WantedAccounts {
  readonly addresses: readonly Address[];
  readonly encoding: AccountEncoding;
}

export function createSimulateMethods(context: RpcContext): [string, Handler][] {
  return [['simulateTransaction', (params) => simulateTransaction(context, params)]];
}

function simulateTransaction(context: RpcContext, params: Params) {
  const { bank } = context;
  requireAtMost(params, 2);
  const fields = readFields(params[1]);
  const wire = decodeWire(readString(params[0], 'transaction'), readBinaryEncoding(fields), 'transaction');
  const verifySignatures = readConfigFlag(fields, 'sigVerify');
  const replaceBlockhash = readConfigFlag(fields, 'replaceRecentBlockhash');
  if (verifySignatures && replaceBlockhash) {
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  }
  const wanted = readWantedAccounts(fields);
  const withInner = readConfigFlag(fields, 'innerInstructions');
  const commitment = readReachedCommitment(bank, fields);
  const accounts = wanted?.addresses ?? [];
  const outcome = bank.simulate(wire, { commitment, verifySignatures, replaceBlockhash, accounts });
  if (outcome.kind === 'malformed')
    throw invalidParams(`failed to deserialize transaction: ${outcome.reason}`);
  const { simulation, slot } = outcome;
  if (verifySignatures && simulation.error === 'SignatureFailure') throw signatureFailure();
  const value = encodeSimulation(simulation, {
    accounts: wanted === null ? null : showAccounts(context, wanted, simulation, commitment),
    innerInstructionsOver: withInner ? listSimulatedAccounts(wire, simulation) : null,
  });
  return wrapInContext(context, { slot, value });
}

/** Returns the accounts of inner instructions. A simulation that failed before it loaded accounts has none. */
function listSimulatedAccounts(
  wire: Uint8Array,
  { loadedAddresses }: TransactionSimulation,
): readonly Address[] {
  return listMessageAccounts(readSentTransaction(wire).transaction.message, loadedAddresses);
}

function readWantedAccounts(fields: ConfigFields): WantedAccounts | null {
  const accounts = readConfigField(fields, 'accounts', readObject);
  if (accounts === undefined) return null;
  const name = 'config.accounts.encoding';
  const encoding =
    readConfigField(accounts, 'encoding', createEnumReader(ACCOUNT_ENCODINGS), name) ?? 'base64';
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
  const mints = createMintDisplayLookup(bank, commitment, after);
  return addresses.map((address) => {
    const account = after.get(address) ?? null;
    return account === null ? null : encodeAccount(address, account, { encoding, slice: null }, mints);
  });
}
