import type { Store } from '../../store/index.ts';
import type { MakerStore, StoredMaker } from '../makers/maker.ts';
import type { RecordMarketChange } from '../../store/audited-change.ts';
import { acquireMakerState, loadMakerStates, saveMakerStates } from './maker-states.ts';

/**
 * Keeps the state of makers in the database.
 *
 * @param recordChange - Called within the transaction of a change of status.
 */
export function keepMakerStates(store: Store, recordChange: RecordMarketChange): MakerStore {
  return {
    load: () => loadMakerStates<StoredMaker['statistics']>(store),
    read: async (id) => (await loadMakerStates<StoredMaker['statistics']>(store, id))[0] ?? null,
    acquire: (fresh) => acquireMakerState(store, fresh),
    save: (makers, transitions) => saveMakerStates(store, makers, transitions, recordChange),
  };
}
