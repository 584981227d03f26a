import { useSyncExternalStore } from 'react';
import type { ApiRequest } from '../../../openapi/request/api-request.ts';
import type { ApiSide } from '../../../openapi/use-api-model.ts';
import type { SentAnswer } from './send-request.ts';

/** An answer that was received in this tab. */
export interface AnswerRecord {
  /** Counts up from the first answer of the tab. */
  readonly id: number;
  readonly side: ApiSide;
  readonly operationId: string;
  readonly request: ApiRequest;
  /** The query of the page's address, with which the form is as it was. */
  readonly search: Readonly<Record<string, string>>;
  readonly answer: SentAnswer;
}

const MAX_RECORDS = 20;
/** All answers together; larger ones are dropped first by age. */
const MAX_BYTES = 80 * 1024 * 1024;

/** The answers of the tab, the newest first. They are kept in memory alone, and are gone with the tab. */
export class AnswerHistory {
  #records: readonly AnswerRecord[] = [];
  #lastId = 0;
  readonly #listeners = new Set<() => void>();

  add(record: Omit<AnswerRecord, 'id'>): AnswerRecord {
    this.#lastId++;
    const added = { ...record, id: this.#lastId };
    this.#set(trimRecords([added, ...this.#records]));
    return added;
  }

  clear(): void {
    this.#set([]);
  }

  list(): readonly AnswerRecord[] {
    return this.#records;
  }

  /** Calls the listener after every change, until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(records: readonly AnswerRecord[]): void {
    this.#records = records;
    for (const listener of this.#listeners) listener();
  }
}

/** The one of this tab. It outlives the page, so that a look at another page loses nothing. */
export const answerHistory = new AnswerHistory();

/** Returns the answers of this tab, the newest first. */
export function useAnswerHistory(): readonly AnswerRecord[] {
  return useSyncExternalStore(
    (listener) => answerHistory.watch(listener),
    () => answerHistory.list(),
  );
}

/** The newest answer is kept, whatever its size is. */
function trimRecords(records: readonly AnswerRecord[]): readonly AnswerRecord[] {
  let bytes = 0;
  return records.slice(0, MAX_RECORDS).filter(({ answer }, index) => {
    bytes += answer.byteCount;
    return index === 0 || bytes <= MAX_BYTES;
  });
}
