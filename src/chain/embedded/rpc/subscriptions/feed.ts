import type { Address } from '../../../../solana/address.ts';
import type { AccountUpdate } from '../../../accounts.ts';
import type { Commitment } from '../../../chain.ts';
import type { Bank } from '../../ledger/bank.ts';
import type {
  BankEvent,
  CommittedTransaction,
  SlotCommitted,
  TransactionRecord,
} from '../../../records/records.ts';
import { passesFilters } from '../calls/filters.ts';
import { toJson } from '../../../json-rpc/json.ts';
import { createMintDisplayLookup } from '../parsed/mint-display.ts';
import { isSimpleVote } from '../wire/record.ts';
import { createBlockWriter } from './block-notification.ts';
import { KeyedSets } from './keyed-sets.ts';
import { createAccountWriter, formatAtSlot, formatLogs, formatNotification } from './notification.ts';
import type {
  AccountTopic,
  BlockTopic,
  LogsTopic,
  ProgramTopic,
  SignatureTopic,
  SlotTopic,
  Topic,
} from './topic.ts';

type Send = (notification: string) => void;

interface FeedListener<T extends Topic> {
  readonly id: number;
  readonly topic: T;
  readonly send: Send;
}

/** The listeners of one commitment, by topic. */
class Listeners {
  readonly accounts = new KeyedSets<Address, FeedListener<AccountTopic>>();
  readonly programs = new KeyedSets<Address, FeedListener<ProgramTopic>>();
  readonly signatures = new KeyedSets<string, FeedListener<SignatureTopic>>();
  readonly mentions = new KeyedSets<Address, FeedListener<LogsTopic>>();
  readonly logs = new KeyedSets<'all', FeedListener<LogsTopic>>();
  readonly blocks = new KeyedSets<'all', FeedListener<BlockTopic>>();
}

function executed(record: TransactionRecord): CommittedTransaction {
  const { signature, slot, error } = record;
  return { signature, slot, error, record: () => record };
}

const RANK = { processed: 0, confirmed: 1, finalized: 2 } as const;

/** Converts events of the bank to notifications for all connections. */
export class Feed {
  readonly #bank: Bank;
  readonly #at = { processed: new Listeners(), confirmed: new Listeners(), finalized: new Listeners() };
  readonly #received = new KeyedSets<string, FeedListener<SignatureTopic>>();
  readonly #slots = new KeyedSets<'slot' | 'root', FeedListener<SlotTopic>>();
  readonly #removers = new Map<number, () => void>();
  #nextId = 0;

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  get size(): number {
    return this.#removers.size;
  }

  /** Adds a subscription and returns its id, which is never used again. */
  subscribe(topic: Topic, send: Send): number {
    const id = this.#nextId++;
    this.#removers.set(id, this.#place(id, topic, send));
    return id;
  }

  /** Ends a subscription. Returns false when it does not exist. */
  unsubscribe(id: number): boolean {
    const remove = this.#removers.get(id);
    if (remove === undefined) return false;
    remove();
    return this.#removers.delete(id);
  }

  has(id: number): boolean {
    return this.#removers.has(id);
  }

  #place(id: number, topic: Topic, send: Send): () => void {
    switch (topic.kind) {
      case 'account':
        return this.#at[topic.commitment].accounts.add(topic.address, { id, topic, send });
      case 'program':
        return this.#at[topic.commitment].programs.add(topic.program, { id, topic, send });
      case 'logs': {
        const { mentions, logs } = this.#at[topic.commitment];
        const listener = { id, topic, send };
        return topic.mentions === null ? logs.add('all', listener) : mentions.add(topic.mentions, listener);
      }
      case 'signature': {
        const listener = { id, topic, send };
        const removeStatus = this.#at[topic.commitment].signatures.add(topic.signature, listener);
        const removeReceived = topic.received ? this.#received.add(topic.signature, listener) : null;
        return () => {
          removeStatus();
          removeReceived?.();
        };
      }
      case 'block':
        return this.#at[topic.commitment].blocks.add('all', { id, topic, send });
      case 'slot':
      case 'root':
        return this.#slots.add(topic.kind, { id, topic, send });
    }
  }

  /** Notifies a new signature subscription at once if its transaction has reached the commitment already. */
  catchUp(id: number, topic: Topic, send: Send): void {
    if (topic.kind !== 'signature' || !this.has(id)) return;
    const [status] = this.#bank.signatureStatuses([topic.signature], true).value;
    if (status == null || RANK[status.commitment] < RANK[topic.commitment]) return;
    this.#endSignature({ id, topic, send }, status.slot, status.error);
  }

  handle(event: BankEvent): void {
    switch (event.kind) {
      case 'slot': {
        const { slot, parent, root } = event;
        this.#notifySlot('slot', toJson({ parent, root, slot }));
        break;
      }
      case 'received':
        for (const { id, send } of this.#received.get(event.signature)) {
          send(formatNotification('signature', id, formatAtSlot(event.slot, '"receivedSignature"')));
        }
        break;
      case 'transaction':
        this.#notifyAccounts('processed', event.record.slot, event);
        if (this.#isFollowed('processed')) this.#notifyTransaction('processed', executed(event.record));
        break;
      case 'accounts':
        this.#notifyAccounts('processed', event.slot, event);
        break;
      case 'commitment':
        this.#notifyCommitment(event);
        break;
    }
  }

  #notifyCommitment(event: SlotCommitted): void {
    const { commitment, slot, transactions } = event;
    if (commitment === 'finalized') this.#notifySlot('root', String(slot));
    this.#notifyAccounts(commitment, slot, event);
    this.#notifyBlock(commitment, slot);
    if (!this.#isFollowed(commitment)) return;
    for (const transaction of transactions) this.#notifyTransaction(commitment, transaction);
  }

  #notifySlot(kind: 'slot' | 'root', result: string): void {
    for (const { id, send } of this.#slots.get(kind)) send(formatNotification(kind, id, result));
  }

  /** Notifies account subscriptions. Changes are expensive to compute, so they are only read if there are any. */
  #notifyAccounts(
    commitment: Commitment,
    slot: bigint,
    event: { readonly changes: readonly AccountUpdate[] },
  ): void {
    const { accounts, programs } = this.#at[commitment];
    if (accounts.isEmpty && programs.isEmpty) return;
    const mints = createMintDisplayLookup(this.#bank, commitment);
    for (const change of event.changes) {
      const { address, account } = change;
      const write = createAccountWriter(change, mints);
      for (const { id, topic, send } of accounts.get(address)) {
        send(formatNotification('account', id, formatAtSlot(slot, write(topic.format))));
      }
      if (account === null) continue;
      for (const { id, topic, send } of programs.get(account.owner)) {
        if (!passesFilters(topic.filters, account.data)) continue;
        const keyed = `{"pubkey":"${address}","account":${write(topic.format)}}`;
        send(formatNotification('program', id, formatAtSlot(slot, keyed)));
      }
    }
  }

  #notifyBlock(commitment: Commitment, slot: bigint): void {
    const { blocks } = this.#at[commitment];
    if (blocks.isEmpty) return;
    const block = this.#bank.block(slot);
    if (block === null) return;
    const write = createBlockWriter(block);
    for (const { id, topic, send } of blocks.get('all')) {
      const update = write(topic);
      if (update !== null) send(formatNotification('block', id, formatAtSlot(slot, update)));
    }
  }

  #isFollowed(commitment: Commitment): boolean {
    const { signatures, mentions, logs } = this.#at[commitment];
    return !(signatures.isEmpty && mentions.isEmpty && logs.isEmpty);
  }

  #notifyTransaction(commitment: Commitment, transaction: CommittedTransaction): void {
    const { signature, slot, error } = transaction;
    const { signatures, mentions, logs } = this.#at[commitment];
    for (const listener of signatures.get(signature)) this.#endSignature(listener, slot, error);
    if (logs.isEmpty && mentions.isEmpty) return;
    const record = transaction.record();
    const result = formatAtSlot(slot, formatLogs(record));
    const vote = isSimpleVote(record);
    for (const { id, topic, send } of logs.get('all')) {
      if (topic.votes || !vote) send(formatNotification('logs', id, result));
    }
    if (mentions.isEmpty) return;
    const { writable, readonly } = record.loadedAddresses;
    for (const address of new Set([...record.staticAddresses, ...writable, ...readonly])) {
      for (const { id, send } of mentions.get(address)) send(formatNotification('logs', id, result));
    }
  }

  /** Sends the status of a transaction, which ends its subscription. */
  #endSignature({ id, send }: FeedListener<SignatureTopic>, slot: bigint, error: unknown): void {
    this.unsubscribe(id);
    send(formatNotification('signature', id, formatAtSlot(slot, toJson({ err: error }))));
  }
}
