import { maximum } from '../../../solana/units.ts';
import type { Address } from '../../../solana/address.ts';
import { encodeBase58 } from '../../../solana/encoding/base58.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import type { Account, AccountFilter, HeldToken } from '../../accounts.ts';
import type { Commitment, PriorityFeeSample } from '../../chain.ts';
import type { TokenAccountFilter } from '../ledger/accounts.ts';
import { hasValidNonce } from '../runtime/admission.ts';
import {
  type LatestBlockhash,
  type ReadAt,
  type SignaturesForAddressOptions,
  NetworkRefused,
} from '../ledger/bank.ts';
import type { MinuteOfBlocks } from '../blocks/block-headers.ts';
import { SLOTS_PER_EPOCH } from '../blocks/blocks.ts';
import { parseIncomingMessage } from '../ledger/incoming-transaction.ts';
import type { SlotPrices } from '../blocks/priority-fees.ts';
import { decodeRecord } from '../records/record-codec.ts';
import type {
  AddressedAccount,
  AtSlot,
  BlockRecord,
  EpochInfo,
  SignatureInfo,
  TransactionRecord,
  TransactionStatus,
} from '../../records/records.ts';
import { type LiveState, getViewSlot } from '../slots/live-state.ts';
import { epochOf } from '../blocks/sysvars.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

/** All reads of the bank, each as of a commitment. */
export class BankReads {
  readonly #live: LiveState;

  constructor(live: LiveState) {
    this.#live = live;
  }

  slot(commitment: Commitment): bigint {
    return getViewSlot(this.#live, commitment);
  }

  blockHeight(commitment: Commitment): bigint {
    return this.#live.ledger.blocks.heightAt(this.slot(commitment));
  }

  epochInfo(commitment: Commitment): EpochInfo {
    const absoluteSlot = this.slot(commitment);
    return {
      absoluteSlot,
      blockHeight: this.blockHeight(commitment),
      epoch: epochOf(absoluteSlot),
      slotIndex: absoluteSlot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: this.transactionCount(commitment),
    };
  }

  transactionCount(commitment: Commitment): bigint {
    const { ledger, open } = this.#live;
    const slot = this.slot(commitment);
    const { blocks } = ledger;
    if (slot >= blocks.open.slot) return blocks.tip.transactionCount + BigInt(open.length);
    return blocks.blockAt(slot)?.transactionCount ?? 0n;
  }

  blockTime(slot: bigint): bigint | null {
    return this.#live.ledger.blocks.timeOf(slot);
  }

  firstAvailableSlot(): bigint {
    const { history, blocks } = this.#live.ledger;
    return maximum(blocks.headers.oldest(), history.completeFrom);
  }

  historyFrom(): bigint {
    return this.#live.ledger.history.completeFrom;
  }

  block(slot: bigint): BlockRecord | null {
    const { history, blocks } = this.#live.ledger;
    const header = blocks.headers.get(slot);
    if (header === null) return null;
    const entries = history.ofSlot(slot) ?? [];
    if (entries.length !== header.transactions) return null;
    const parent = slot === 0n ? null : blocks.headers.get(header.parent);
    return {
      slot,
      parent: header.parent,
      height: header.height,
      time: header.time,
      blockhash: encodeBase58(header.hash),
      previousBlockhash: parent === null ? null : encodeBase58(parent.hash),
      transactions: entries.map(({ signature, error, encoded }) => ({
        signature,
        slot,
        error,
        record: () => decodeRecord(encoded),
      })),
      size: entries.reduce((sum, { encoded }) => sum + encoded.length, 0),
    };
  }

  blocksProduced(first: bigint, last: bigint): number {
    const { headers } = this.#live.ledger.blocks;
    return headers.count(maximum(first, headers.oldest()), last);
  }

  minutes(limit: number): readonly MinuteOfBlocks[] {
    return this.#live.ledger.blocks.headers.minutes(this.slot('confirmed'), limit);
  }

  largestAccounts(count: number, commitment: Commitment): AtSlot<AddressedAccount[]> {
    const slot = this.slot(commitment);
    return { slot, value: this.#live.ledger.accounts.largestAt(count, slot) };
  }

  totalLamports(commitment: Commitment): bigint {
    return this.#live.ledger.accounts.lamportsAt(this.slot(commitment));
  }

  getAccount(address: Address, commitment: Commitment): Account | null {
    return this.#live.ledger.accounts.getAt(address, this.slot(commitment));
  }

  getAccounts(addresses: readonly Address[], at: ReadAt): AtSlot<(Account | null)[]> {
    const slot = this.#slotOf(at);
    const { accounts } = this.#live.ledger;
    return { slot, value: addresses.map((address) => accounts.getAt(address, slot)) };
  }

  programAccounts(program: Address, at: ReadAt, filter?: AccountFilter): AtSlot<AddressedAccount[]> {
    const slot = this.#slotOf(at);
    return { slot, value: this.#live.ledger.accounts.programAccountsAt(program, slot, filter) };
  }

  associatedAccounts(
    owner: Address,
    tokens: readonly HeldToken[],
    at: ReadAt,
  ): AtSlot<(AddressedAccount | null)[]> {
    const slot = this.#slotOf(at);
    return { slot, value: this.#live.ledger.accounts.associatedAccountsAt(owner, tokens, slot) };
  }

  eachTokenAccount(filter: TokenAccountFilter, at: ReadAt): AtSlot<Iterable<AddressedAccount>> {
    const slot = this.#slotOf(at);
    return {
      slot,
      value: this.#whileKept(this.#live.ledger.accounts.eachTokenAccountAt(filter, slot), slot),
    };
  }

  eachProgramAccount(program: Address, at: ReadAt): AtSlot<Iterable<AddressedAccount>> {
    const slot = this.#slotOf(at);
    const found = this.#live.ledger.accounts.eachProgramAccountAt(program, slot);
    return { slot, value: this.#whileKept(found, slot) };
  }

  *#whileKept(accounts: Iterable<AddressedAccount>, slot: bigint): Generator<AddressedAccount> {
    for (const account of accounts) {
      this.#slotOf(slot);
      yield account;
    }
  }

  minimumBalanceForRentExemption(dataLength: number): bigint {
    return computeRentExemptMinimum(dataLength);
  }

  latestBlockhash(commitment: Commitment): AtSlot<LatestBlockhash> {
    const slot = this.slot(commitment);
    const { blocks } = this.#live.ledger;
    const { blockhash, hash } = blocks.latestHashAt(slot);
    const lastValidBlockHeight = blocks.lastValidHeight(blockhash) ?? 0n;
    return { slot, value: { blockhash, bytes: hash, lastValidBlockHeight } };
  }

  usableBlockhashes(): readonly AtSlot<LatestBlockhash>[] {
    const { blocks } = this.#live.ledger;
    return blocks.usable().map(({ slot, blockhash, hash, height }) => ({
      slot,
      value: { blockhash, bytes: hash, lastValidBlockHeight: height + blocks.blockhashLifetime },
    }));
  }

  isBlockhashValid(blockhash: string, commitment: Commitment): AtSlot<boolean> {
    const slot = this.slot(commitment);
    return { slot, value: this.#live.ledger.blocks.isHashValidAt(blockhash, slot) };
  }

  feeForMessage(message: Uint8Array, commitment: Commitment): AtSlot<bigint | null> {
    const slot = this.slot(commitment);
    const { ledger } = this.#live;
    const incoming = parseIncomingMessage(message);
    const valid =
      ledger.blocks.isHashValidAt(incoming.message.blockhash, slot) || hasValidNonce(ledger, incoming, slot);
    return { slot, value: valid ? incoming.fee.lamports : null };
  }

  recentPrioritizationFees(writable: readonly Address[]): readonly PriorityFeeSample[] {
    return this.#live.ledger.priorityFees.samples(writable);
  }

  slotPrices(slot: bigint): SlotPrices | null {
    return this.#live.ledger.priorityFees.of(slot);
  }

  signatureStatuses(
    signatures: readonly string[],
    searchHistory: boolean,
  ): AtSlot<(TransactionStatus | null)[]> {
    const slot = this.slot('processed');
    const { statuses, history } = this.#live.ledger;
    const value = signatures.map((signature) => {
      const found = statuses.get(signature) ?? (searchHistory ? history.get(signature) : null);
      return found === null || found.slot > slot ? null : this.#statusOf(found.slot, found.error);
    });
    return { slot, value };
  }

  transaction(signature: string, commitment: 'confirmed' | 'finalized'): TransactionRecord | null {
    const entry = this.#live.ledger.history.get(signature);
    return entry === null || entry.slot > this.slot(commitment) ? null : decodeRecord(entry.encoded);
  }

  signaturesForAddress(address: Address, options: SignaturesForAddressOptions): readonly SignatureInfo[] {
    const { history } = this.#live.ledger;
    const before = options.before === undefined ? null : history.get(options.before);
    const until = options.until === undefined ? null : history.get(options.until);
    if (options.before !== undefined && before === null) return [];
    const slot = this.slot(options.commitment);
    return history.ofAddress(address, { slot, limit: options.limit, before, until }).map((entry) => ({
      signature: entry.signature,
      slot: entry.slot,
      blockTime: entry.blockTime,
      error: entry.error,
      memo: entry.memo,
      commitment: this.#commitmentOf(entry.slot),
    }));
  }

  encodedTransactions(slot: bigint, addresses: readonly Address[], limit: number): readonly Uint8Array[] {
    const wanted = new Set(addresses);
    const found: Uint8Array[] = [];
    let last = slot;
    for (const entry of this.#live.ledger.history.entries()) {
      if (entry.slot <= slot || entry.error !== null) continue;
      if (found.length >= limit && entry.slot > last) break;
      if (!entry.addresses.some((address) => wanted.has(address))) continue;
      found.push(entry.encoded);
      last = entry.slot;
    }
    return found;
  }

  /** @throws NetworkRefused for a slot whose state is no longer kept, or that has not begun. */
  #slotOf(at: ReadAt): bigint {
    if (typeof at !== 'bigint') return this.slot(at);
    const { accounts, blocks } = this.#live.ledger;
    const oldest = maximum(accounts.oldestReadable, blocks.firstReadable);
    if (at < oldest || at > blocks.open.slot) {
      throw new NetworkRefused(
        'gone',
        `the accounts as of slot ${at} cannot be read; the oldest slot that can be read is ${oldest}`,
      );
    }
    return at;
  }

  #statusOf(slot: bigint, error: TransactionError | null): TransactionStatus {
    const commitment = this.#commitmentOf(slot);
    const above = this.blockHeight('processed') - this.#live.ledger.blocks.heightAt(slot);
    const counted = commitment === 'processed' ? 0 : Number(above);
    return { slot, confirmations: commitment === 'finalized' ? null : counted, commitment, error };
  }

  #commitmentOf(slot: bigint): Commitment {
    if (slot <= this.slot('finalized')) return 'finalized';
    return slot <= this.slot('confirmed') ? 'confirmed' : 'processed';
  }
}
