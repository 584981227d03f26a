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
import type { FillRecord, FillRecords } from '../fills/fill-records.ts';
import type { RecordedState } from '../fills/fill-state.ts';
import type { Store } from '../../store/index.ts';

/**
 * Keeps fills in the database.
 * @param now - Unix milliseconds.
 */
export function keepFills(store: Store, now: () => number): FillRecords {
  return {
    begin: (record) => beginFill(store, { ...record, state: 'offered' satisfies RecordedState }),
    discard: (swapUuid) => discardFill(store, swapUuid, 'offered' satisfies RecordedState),
    sign: (swapUuid, signed) =>
      signFill(store, swapUuid, signed, {
        from: 'offered' satisfies RecordedState,
        to: 'landing' satisfies RecordedState,
      }),
    end: (swapUuid, { from, ...end }) => endFill(store, swapUuid, { ...end, endedAt: now() }, from),
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
  return { ...row, state: row.state as RecordedState };
}
