import { type Address, toAddressBytes } from '../../../solana/address.ts';
import type { AccountFilter, AccountUpdate, HeldToken } from '../../accounts.ts';
import {
  type AddressSignature,
  type Commitment,
  type LamportSupply,
  type SignatureRange,
  type SignatureSearch,
  type SignatureStatus,
  type Simulation,
  COMMITMENTS,
} from '../../chain.ts';
import type { LandedTransaction } from '../../landed-transactions.ts';
import { SendRejected } from '../../chain.ts';
import type { Bank, LatestBlockhash, ReadAt } from '../ledger/bank.ts';
import { toLandedTransaction } from '../../records/landed-transaction.ts';
import { epochOf } from '../blocks/sysvars.ts';
import { findMintCreator } from './mint-creator.ts';
import type { NetworkStatus, PushedBlockhash, ViewRead } from './protocol.ts';
import type { AtSlot } from '../../records/records.ts';
import { listSlotSummaries } from './slot-summaries.ts';
import { TokenCursors } from './token-cursors.ts';
import { countTokenHolders } from './token-holders.ts';
import type { TransactionWatches } from './transaction-watches.ts';
import type { Watches } from './watches.ts';

/** The commitment of blockhashes, so that preflight checks at `confirmed` know them. */
const BLOCKHASH_COMMITMENT = 'confirmed';

/** Returns the reads of the main thread, and what it watches. */
export function createNetworkReads(bank: Bank, watches: Watches, transactions: TransactionWatches) {
  const tokens = new TokenCursors(bank);
  return {
    getAccounts: (addresses: readonly Address[], at: ReadAt) => readAccountUpdates(bank, addresses, at),
    getProgramAccounts: (program: Address, at: ReadAt, filter: AccountFilter) =>
      readProgramAccountUpdates(bank, program, at, filter),
    /** Makes all reads as of one state, and returns what each found. */
    read: (reads: readonly ViewRead[], at: ReadAt) => reads.map((read) => found(bank, read, at)),
    /** Reads the associated accounts of one owner. */
    associatedAccounts: (owner: Address, tokens: readonly HeldToken[], at: ReadAt) =>
      readAssociatedAccountUpdates(bank, owner, tokens, at),
    /** Begins to read the token accounts of an owner, and returns the first of them. */
    openTokens: (owner: Address, at: ReadAt) => tokens.open(owner, at),
    moreTokens: (cursor: number) => tokens.next(cursor),
    closeTokens: (cursor: number) => tokens.close(cursor),
    watchAccounts: (addresses: readonly Address[]) => watches.watchAccounts(addresses),
    unwatchAccounts: (addresses: readonly Address[]) => watches.unwatchAccounts(addresses),
    watchProgram: (program: Address) =>
      watches.watchProgram(
        program,
        bank.programAccounts(program, 'processed').value.map(({ address }) => address),
      ),
    unwatchProgram: (program: Address) => watches.unwatchProgram(program),
    watchTransactions: (programs: readonly Address[]) => transactions.watch(programs),
    unwatchTransactions: (programs: readonly Address[]) => transactions.unwatch(programs),
    // Copied, because a view would be sent with the whole memory that it is a view of.
    encodedTransactions: (slot: bigint, programs: readonly Address[], limit: number): readonly Uint8Array[] =>
      bank.encodedTransactions(slot, programs, limit).map((encoded) => encoded.slice()),
    simulate: (transaction: Uint8Array, verifySignatures: boolean, accounts: readonly Address[]) =>
      simulate(bank, transaction, verifySignatures, accounts),
    send: (transaction: Uint8Array, skipPreflight: boolean) => send(bank, transaction, skipPreflight),
    signatureStatuses: (signatures: readonly string[]) => readSignatureStatuses(bank, signatures),
    searchSignature: (signature: string) => searchBankSignature(bank, signature),
    signaturesOf: (address: Address, range: SignatureRange): readonly AddressSignature[] =>
      bank
        .signaturesForAddress(address, { ...range, commitment: 'confirmed' })
        .map(({ signature, slot }) => ({ signature, slot })),
    lamportSupply: (): LamportSupply => {
      const total = bank.totalLamports('confirmed');
      // No stake is locked.
      return { total, circulating: total };
    },
    transaction: (signature: string) => findBankTransaction(bank, signature),
    slotSummaries: (after: bigint, limit: number) => listSlotSummaries(bank, after, limit),
    historyFrom: () => bank.historyFrom(),
    tokenHolders: (mint: Address, owner: Address | null) => countTokenHolders(bank, mint, owner),
    mintCreator: (mint: Address) => findMintCreator(bank, mint),
  };
}

export function readNetworkStatus(bank: Bank): NetworkStatus {
  const at = (read: (commitment: Commitment) => bigint) =>
    Object.fromEntries(COMMITMENTS.map((commitment) => [commitment, read(commitment)])) as Record<
      Commitment,
      bigint
    >;
  const slots = at((commitment) => bank.slot(commitment));
  const slot = slots.processed;
  return {
    slots,
    heights: at((commitment) => bank.blockHeight(commitment)),
    clock: { slot, epoch: epochOf(slot), unixTimestamp: bank.blockTime(slot) ?? 0n },
    unhealthy: bank.unhealthy(),
  };
}

export function getPushedBlockhash(bank: Bank): PushedBlockhash {
  return pushedBlockhash(bank.latestBlockhash(BLOCKHASH_COMMITMENT));
}

/** Returns the newest blockhash if the confirmed one has expired, and that one has not; otherwise null. */
export function findBlockhashAfterLeap(bank: Bank): PushedBlockhash | null {
  const height = bank.blockHeight('processed');
  if (getPushedBlockhash(bank).lastValidBlockHeight >= height) return null;
  const newest = pushedBlockhash(bank.latestBlockhash('processed'));
  return newest.lastValidBlockHeight >= height ? newest : null;
}

/** Returns the usable blockhashes, oldest first. */
export function listUsableBlockhashes(bank: Bank): PushedBlockhash[] {
  const newest = bank.slot(BLOCKHASH_COMMITMENT);
  return bank
    .usableBlockhashes()
    .filter(({ slot }) => slot <= newest)
    .map(pushedBlockhash);
}

function pushedBlockhash({ slot, value }: AtSlot<LatestBlockhash>): PushedBlockhash {
  const { blockhash, bytes, lastValidBlockHeight } = value;
  return { blockhash: blockhash as Address, bytes, lastValidBlockHeight, slot };
}

function found(bank: Bank, read: ViewRead, at: ReadAt): AccountUpdate[] {
  if (read.kind === 'accounts') return readAccountUpdates(bank, read.addresses, at);
  if (read.kind === 'program') return readProgramAccountUpdates(bank, read.program, at, read.filter);
  const { program, field, addresses } = read;
  return [...new Set(addresses)].flatMap((address) => {
    const memcmp = { offset: field.offset, bytes: toAddressBytes(address) };
    return readProgramAccountUpdates(bank, program, at, { dataSize: field.dataSize, memcmp });
  });
}

function readAccountUpdates(bank: Bank, addresses: readonly Address[], at: ReadAt): AccountUpdate[] {
  const { slot, value } = bank.getAccounts(addresses, at);
  return addresses.map((address, index) => ({ address, slot, account: value[index] ?? null }));
}

function readProgramAccountUpdates(
  bank: Bank,
  program: Address,
  at: ReadAt,
  filter: AccountFilter,
): AccountUpdate[] {
  const { slot, value } = bank.programAccounts(program, at, filter);
  return value.map(({ address, account }) => ({ address, slot, account }));
}

function readAssociatedAccountUpdates(
  bank: Bank,
  owner: Address,
  tokens: readonly HeldToken[],
  at: ReadAt,
): (AccountUpdate | null)[] {
  const { slot, value } = bank.associatedAccounts(owner, tokens, at);
  return value.map((found) => (found === null ? null : { ...found, slot }));
}

function readSignatureStatuses(bank: Bank, signatures: readonly string[]): (SignatureStatus | null)[] {
  return bank.signatureStatuses(signatures, true).value;
}

function searchBankSignature(bank: Bank, signature: string): SignatureSearch {
  const { slot, value } = bank.signatureStatuses([signature], true);
  const finalized = { slot: bank.slot('finalized'), height: bank.blockHeight('finalized') };
  return { status: value[0] ?? null, slot, finalized, hasHistory: true };
}

function findBankTransaction(bank: Bank, signature: string): LandedTransaction | null {
  const record = bank.transaction(signature, 'confirmed');
  return record === null ? null : toLandedTransaction(record);
}

function simulate(
  bank: Bank,
  transaction: Uint8Array,
  verifySignatures: boolean,
  accounts: readonly Address[],
): Simulation {
  const outcome = bank.simulateOutcome(transaction, {
    commitment: 'processed',
    verifySignatures,
    replaceBlockhash: !verifySignatures,
    accounts,
  });
  if (outcome.kind === 'malformed') throw new SendRejected(`not a transaction: ${outcome.reason}`, null);
  return { slot: outcome.slot, ...outcome.simulation };
}

function send(bank: Bank, transaction: Uint8Array, skipPreflight: boolean): string {
  const outcome = bank.submit(transaction, { preflight: skipPreflight ? null : 'processed' });
  switch (outcome.kind) {
    case 'accepted':
      return outcome.signature;
    case 'malformed':
      throw new SendRejected(`not a transaction: ${outcome.reason}`, null);
    case 'bad-signature':
      throw new SendRejected('a signature of the transaction does not verify', 'SignatureFailure');
    case 'preflight-failed': {
      const { error, logs } = outcome.simulation;
      throw new SendRejected(`the transaction would fail: ${JSON.stringify(error)}`, error, logs);
    }
    case 'unavailable':
      throw new SendRejected(outcome.reason, null);
  }
}
