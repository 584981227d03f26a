import type { FillEnd, FillRecord, FillRecords } from '../../rfq/fills/fill-records.ts';
import type { BookLevel, LiveBook, LiveBooks } from '../../rfq/books/live-book.ts';
import type { MakerScoring } from '../../rfq/makers/maker-scoring.ts';
import type { MakerStatistics } from '../../rfq/makers/maker.ts';
import type { LastLook, MakerLink, OfferedSwap } from '../../rfq/streams/maker-link.ts';
import { countTrade, type MakerTrades, createMakerTrades } from '../../rfq/makers/maker-trades.ts';
import { createEmptyStatistics } from '../../rfq/makers/statistics.ts';
import { type CoSignedOrder, decodeOrder, encodeOrder } from '../../swaps/orders/stored-order.ts';
import { readResult, writeResult } from '../../swaps/orders/stored-result.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { addSignatures, parseTransaction } from '../../solana/messages/transaction.ts';

type BookTokens = Pick<LiveBook, 'base' | 'quote'>;

/** What a maker does with a swap: text that it returns at once, or nothing. */
export type Behaviour = (swap: OfferedSwap) => string | null;

/** Makers without a network: their books, their streams, and what becomes known of their conduct. */
export class TestMakers implements LiveBooks, MakerLink, MakerScoring {
  readonly #books = new Map<string, LiveBook>();
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #watchers = new Set<(makerId: string, book: LiveBook | null) => void>();
  #version = 0;
  /** The current settlement of swaps. */
  lastLook: LastLook | null = null;
  /** What happened, in order: `offered`, `confirmed`, `failed`, `filled`, `missed`, `tampered`, and what was answered. */
  readonly events: string[] = [];
  readonly offered: OfferedSwap[] = [];
  /** Seconds by which the chain's clock is ahead, as books see it. */
  chainAhead = 0n;
  /** What is counted of each maker. */
  readonly statistics = new Map<string, MakerStatistics>();
  readonly trades: MakerTrades = createMakerTrades((makerId, news) => {
    const statistics = this.statistics.get(makerId) ?? createEmptyStatistics();
    this.statistics.set(makerId, statistics);
    countTrade(statistics, news);
  });

  connect(makerId: string, behaviour: Behaviour): void {
    this.#behaviours.set(makerId, behaviour);
    for (const swap of this.lastLook?.pending(makerId) ?? []) this.offer(swap);
  }

  disconnect(makerId: string): void {
    this.#behaviours.delete(makerId);
  }

  /** Puts a book in place of the maker's last one of the pair. */
  stream(
    maker: Keypair,
    tokens: BookTokens,
    bids: readonly BookLevel[],
    asks: readonly BookLevel[],
  ): LiveBook {
    const book: LiveBook = {
      version: ++this.#version,
      makerId: `of ${maker.address}`,
      makerAddress: maker.address,
      ...tokens,
      bids,
      asks,
      expiresAt: Number.POSITIVE_INFINITY,
    };
    this.#books.set(toLiveBookKey(book), book);
    for (const watcher of this.#watchers) watcher(book.makerId, book);
    return book;
  }

  withdraw(book: LiveBook): void {
    this.#books.delete(toLiveBookKey(book));
    for (const watcher of this.#watchers) watcher(book.makerId, null);
  }

  submit(makerId: string, swapUuid: string, signedTransaction: string): string | null {
    const answer = this.lastLook?.submitted({ makerId, swapUuid, signedTransaction }) ?? null;
    this.events.push(answer === null ? 'taken' : `refused: ${answer}`);
    return answer;
  }

  between(one: Address, other: Address, now: number): readonly LiveBook[] {
    return [...this.all(now)].filter(
      ({ base, quote }) =>
        (base.mint === one && quote.mint === other) || (base.mint === other && quote.mint === one),
    );
  }

  all(now: number): readonly LiveBook[] {
    return [...this.#books.values()].filter(({ expiresAt }) => expiresAt > now);
  }

  watch(changed: (makerId: string, book: LiveBook | null) => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  offer(swap: OfferedSwap): boolean {
    const behaviour = this.#behaviours.get(swap.makerId);
    if (behaviour === undefined) return false;
    this.events.push('offered');
    this.offered.push(swap);
    const returned = behaviour(swap);
    if (returned !== null) queueMicrotask(() => this.submit(swap.makerId, swap.swapUuid, returned));
    return true;
  }

  confirmed(_makerId: string, _swapUuid: string, signature: string): void {
    this.events.push(`confirmed ${signature}`);
  }

  failed(_makerId: string, _swapUuid: string, message: string): void {
    this.events.push(`failed: ${message}`);
  }

  async filled(): Promise<void> {
    this.events.push('filled');
  }

  async missed(): Promise<void> {
    this.events.push('missed');
  }

  async tampered(_makerId: string, _swapUuid: string, sent: Uint8Array, returned: Uint8Array): Promise<void> {
    this.events.push(Buffer.compare(sent, returned) === 0 ? 'tampered with nothing' : 'tampered');
  }
}

function toLiveBookKey({ makerId, base, quote }: LiveBook): string {
  return [makerId, base.mint, quote.mint].join();
}

/** Signs whatever comes. */
export function signing(maker: Keypair): Behaviour {
  return ({ transaction }) => base64(addSignatures(parseTransaction(transaction), [maker]));
}

export const silent: Behaviour = () => null;

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Records that outlive the settlement that writes them. They encode what they keep, as a database does. */
export class MemoryRecords implements FillRecords {
  readonly rows = new Map<string, FillRecord>();

  async begin({ order, ...record }: Parameters<FillRecords['begin']>[0]): Promise<boolean> {
    if ([...this.rows.values()].some(({ requestId }) => requestId === record.requestId)) return false;
    this.rows.set(record.swapUuid, {
      ...record,
      order: decodeOrder(encodeOrder(order)) as CoSignedOrder,
      state: 'offered',
      signed: null,
      answer: null,
    });
    return true;
  }

  async discard(swapUuid: string): Promise<boolean> {
    return this.rows.get(swapUuid)?.state === 'offered' && this.rows.delete(swapUuid);
  }

  async sign(swapUuid: string, signed: Uint8Array): Promise<boolean> {
    const row = this.rows.get(swapUuid);
    if (row?.state !== 'offered') return false;
    this.rows.set(swapUuid, { ...row, state: 'landing', signed });
    return true;
  }

  async end(swapUuid: string, { from, state, answer }: FillEnd): Promise<boolean> {
    const row = this.rows.get(swapUuid);
    if (row?.answer !== null || (from !== undefined && row.state !== from)) return false;
    this.rows.set(swapUuid, { ...row, state, answer: readResult(writeResult(answer)) });
    return true;
  }

  async byRequest(requestId: string): Promise<FillRecord | null> {
    return [...this.rows.values()].find((row) => row.requestId === requestId) ?? null;
  }

  async endedSince(): Promise<readonly FillRecord[]> {
    return [...this.rows.values()].filter(({ answer }) => answer !== null);
  }

  async unfinished(of?: string): Promise<readonly FillRecord[]> {
    return [...this.rows.values()].filter(
      ({ answer, makerId }) => answer === null && (of === undefined || makerId === of),
    );
  }
}
