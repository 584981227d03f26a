/** A key that lives in this browser only. Nothing can read its private half: it is used where it is kept. */
export interface ThrowawayKey {
  readonly address: string;
  readonly privateKey: CryptoKey;
}

/** Where the key is kept. */
export interface KeyStore {
  load(): Promise<ThrowawayKey | null>;
  /** Keeps the key, unless there is one: then that one stays. Returns the key that is kept. */
  add(key: ThrowawayKey): Promise<ThrowawayKey>;
  remove(): Promise<void>;
}

const DATABASE = 'sluice-portal';
const STORE = 'keys';
const KEY = 'throwaway';

/**
 * The store of this browser, which outlives a reload. IndexedDB is the only one that keeps a key without showing it to
 * scripts.
 */
export const indexedDbKeyStore: KeyStore = {
  load: () => run('readonly', async (store) => ((await settle(store.get(KEY))) as ThrowawayKey) ?? null),
  add: (key) =>
    run('readwrite', async (store) => {
      // Another tab may have made one in the meantime.
      const kept = (await settle(store.get(KEY))) as ThrowawayKey | undefined;
      if (kept === undefined) await settle(store.put(key, KEY));
      return kept ?? key;
    }),
  remove: () => run('readwrite', async (store) => void (await settle(store.delete(KEY)))),
};

async function run<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settle(opening);
  try {
    const transaction = database.transaction(STORE, mode);
    const committed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('the browser did not keep the key'));
    });
    const [result] = await Promise.all([work(transaction.objectStore(STORE)), committed]);
    return result;
  } finally {
    database.close();
  }
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser could not open its database'));
  });
}
