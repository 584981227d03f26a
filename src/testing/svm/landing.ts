import { SendRejected, type Simulation, type SimulationOptions } from '../../chain/chain.ts';
import { execute, simulate } from '../../chain/embedded/runtime/execute.ts';
import { computeMessageFee } from '../../solana/programs/message-fee.ts';
import { listAllAddresses } from '../../chain/records/landed-transaction.ts';
import type { TransactionRecord } from '../../chain/records/records.ts';
import { loadedAddresses } from '../../chain/embedded/runtime/loaded-addresses.ts';
import { listTokenBalances } from '../../chain/embedded/runtime/token-balances.ts';
import type { Address } from '../../solana/address.ts';
import {
  isFullySigned,
  parseTransaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import type { TestNetwork } from './network.ts';

/** What the network itself leaves to the bank of a chain: signatures, and that nothing lands twice. */
export function simulateOn(
  network: TestNetwork,
  wire: Uint8Array,
  { verifySignatures, accounts: wanted = [] }: SimulationOptions,
  slot: bigint,
): Simulation {
  const transaction = parseTransaction(wire);
  if (verifySignatures && !isFullySigned(transaction)) {
    return {
      slot: null,
      feePayer: null,
      error: 'SignatureFailure',
      logs: [],
      unitsConsumed: 0n,
      returnData: null,
      accounts: [],
    };
  }
  const [feePayer] = transaction.message.staticAccounts;
  if (feePayer === undefined) throw new Error('a transaction has a fee payer');
  try {
    const { error, logs, unitsConsumed, returnData, accounts } = simulate(network.svm, wire, false);
    const after = (address: Address) => {
      const account = accounts.get(address) ?? network.account(address);
      return account === null || account.lamports === 0n ? null : account;
    };
    return {
      slot,
      feePayer:
        error === null
          ? { before: network.account(feePayer)?.lamports ?? 0n, after: after(feePayer)?.lamports ?? 0n }
          : null,
      error,
      logs,
      unitsConsumed,
      returnData,
      accounts: error === null ? wanted.map(after) : [],
    };
  } finally {
    network.svm.setSigverify(false);
  }
}

/**
 * Executes the transaction and says what it did.
 * @throws SendRejected when a signature is missing or wrong
 */
export function landOn(network: TestNetwork, wire: Uint8Array, slot: bigint): TransactionRecord {
  const transaction = parseTransaction(wire);
  if (!isFullySigned(transaction)) throw new SendRejected('a signature does not verify', 'SignatureFailure');
  const { message } = transaction;
  const accountAt = (address: Address) => network.account(address);
  const loaded = loadedAddresses(message, accountAt);
  if (loaded === null) throw new SendRejected('a lookup table is missing', 'AddressLookupTableNotFound');
  const addresses = listAllAddresses(message.staticAccounts, loaded);
  const balances = () => ({
    lamports: addresses.map((address) => accountAt(address)?.lamports ?? 0n),
    tokens: listTokenBalances(addresses, accountAt),
  });
  const before = balances();
  const execution = execute(network.svm, wire);
  const after = balances();
  return {
    ...execution,
    signature: getTransactionSignature(transaction),
    slot,
    index: 0,
    blockTime: network.svm.getClock().unixTimestamp,
    wire,
    version: message.version,
    fee: computeMessageFee(message).lamports,
    staticAddresses: message.staticAccounts,
    loadedAddresses: loaded,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
  };
}
