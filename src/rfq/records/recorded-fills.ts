import {
  beginFill,
  discardFill,
  endFill,
  findFillOfRequest,
  listFillsEndedSince,
  type FillRow,
  signFill,
  listUnfinishedFills,
} from './fill-rows.ts';
import { decodeOrder, encodeOrder } from '../../swaps/orders/stored-order.ts';
import { readResult, writeResult } from '../../swaps/orders/stored-result.ts';
import type { FillRecord, FillRecords } from '../fills/fill-records.ts';
import type { RecordedState } from '../fills/fill-state.ts';
import type { Store } from '../../store/index.ts';

/**
 * Keeps fills in the database.
 * @param now - Unix milliseconds.
 */
export function keepFills(store: Store, now: () => number): FillRecords {
  return {
    begin: ({ order, ...record }) =>
      beginFill(store, { ...record, order: encodeOrder(order), state: 'offered' satisfies RecordedState }),
    discard: (swapUuid) => discardFill(store, swapUuid, 'offered' satisfies RecordedState),
    sign: (swapUuid, signed) =>
      signFill(store, swapUuid, signed, {
        from: 'offered' satisfies RecordedState,
        to: 'landing' satisfies RecordedState,
      }),
    end: (swapUuid, { state, answer, from }) =>
      endFill(store, swapUuid, { state, answer: writeResult(answer), endedAt: now() }, from),
    byRequest: async (requestId) => {
      const row = await findFillOfRequest(store, requestId);
      return row === null ? null : toFillRecord(row);
    },
    unfinished: async (makerId) => (await listUnfinishedFills(store, makerId)).map(toFillRecord),
    endedSince: async (since) => (await listFillsEndedSince(store, since)).map(toFillRecord),
  };
}

/** The table holds only states that settlement wrote. */
function toFillRecord(row: FillRow): FillRecord {
  const { order, answer, state } = row;
  return {
    ...row,
    order: decodeOrder(order),
    answer: answer === null ? null : readResult(answer),
    state: state as RecordedState,
  };
}
