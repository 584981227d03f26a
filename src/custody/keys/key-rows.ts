import { and, asc, count, eq, gt, inArray, lt, ne } from 'drizzle-orm';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import type { Address } from '../../solana/address.ts';
import { encodeSignature } from '../../solana/messages/signature.ts';
import type { Database, Store } from '../../store/index.ts';
import { custodyKeys, custodySignatures } from './custody-tables.ts';
import type { KeyPurpose, SealedKey } from './sealed-keys.ts';

/** How many rows stay in memory: those of the wallets whose orders were signed for last. */
const CACHED_ROWS = 1 << 12;

/** The rows of keys, which hold nothing but encrypted keys, and those of signatures. */
export class KeyRows {
  readonly #store: Store;
  readonly #byWallet = new BoundedCache<Address, SealedKey>(CACHED_ROWS);
  #coSigner: SealedKey | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the key of the wallet's vault; null if it has none. */
  async findVault(wallet: Address): Promise<SealedKey | null> {
    const known = this.#byWallet.get(wallet);
    if (known !== undefined) return known;
    const row = await findRow(this.#store.db, 'vault', wallet);
    if (row !== null) this.#byWallet.set(wallet, row);
    return row;
  }

  /** Returns the key of the co-signer; null if there is none yet. */
  async findCoSigner(): Promise<SealedKey | null> {
    this.#coSigner ??= await findRow(this.#store.db, 'co-signer', '');
    return this.#coSigner;
  }

  /** Adds a key, unless its wallet has one of this purpose already. Returns the key that the wallet has now. */
  async add(key: SealedKey, createdAt: number): Promise<SealedKey> {
    await this.#store.db
      .insert(custodyKeys)
      .values({ ...key, createdAt })
      .onConflictDoNothing();
    const row = await findRow(this.#store.db, key.purpose, key.wallet);
    if (row === null) throw new Error(`the key of ${key.purpose} ${key.wallet} is gone`);
    if (row.wallet !== '') this.#byWallet.set(row.wallet, row);
    return row;
  }
}

/** What a signature was made for. */
export interface SignatureRecord {
  readonly address: Address;
  readonly signature: Uint8Array;
  readonly purpose: string;
  readonly subject: string;
  readonly signedAt: number;
}

/**
 * Records signatures. The rows survive the end of this process at once, and a power failure with the next write of the store: the
 * one that records the transaction with the signatures, without which nobody sends it.
 */
export async function recordSignatures(
  { unsynced }: Pick<Store, 'unsynced'>,
  records: readonly SignatureRecord[],
): Promise<void> {
  await unsynced
    .insert(custodySignatures)
    .values(records.map((record) => ({ ...record, signature: encodeSignature(record.signature) })))
    .onConflictDoNothing();
}

/** How long signatures are kept: a year, like the entries of the audit log. */
const KEPT_MS = 365 * 24 * 60 * 60 * 1_000;
const REMOVED_TOGETHER = 500;

/** Removes the rows of signatures that are older than a year, in small steps, by the clock of the database. */
export async function removeOldSignatures(store: Store, isStopped: () => boolean): Promise<void> {
  const { db } = store;
  const before = (await store.now(db)) - KEPT_MS;
  const { signature, signedAt } = custodySignatures;
  const old = db
    .select({ signature })
    .from(custodySignatures)
    .where(lt(signedAt, before))
    .orderBy(signedAt)
    .limit(REMOVED_TOGETHER);
  let removed = REMOVED_TOGETHER;
  while (removed === REMOVED_TOGETHER && !isStopped()) {
    const gone = await db.delete(custodySignatures).where(inArray(signature, old)).returning({ signature });
    removed = gone.length;
  }
}

/** Returns the ids of the master keys that the keys in the database are under. */
export async function listMasterIds(db: Database): Promise<readonly string[]> {
  const rows = await db.selectDistinct({ masterId: custodyKeys.masterId }).from(custodyKeys);
  return rows.map(({ masterId }) => masterId);
}

/** Returns some keys that are under another master key than this one. */
export async function listKeysUnderOthers(
  db: Database,
  masterId: string,
  limit: number,
): Promise<readonly SealedKey[]> {
  const rows = await db
    .select()
    .from(custodyKeys)
    .where(ne(custodyKeys.masterId, masterId))
    .orderBy(asc(custodyKeys.address))
    .limit(limit);
  return rows.map(toSealedKey);
}

/** Counts the keys that are under another master key than this one. */
export async function countKeysUnderOthers(db: Database, masterId: string): Promise<number> {
  const [row] = await db
    .select({ left: count() })
    .from(custodyKeys)
    .where(ne(custodyKeys.masterId, masterId));
  return row?.left ?? 0;
}

/** Replaces the encrypted key of a row, unless the row was changed since it was read. */
export async function replaceSealed(db: Database, before: SealedKey, after: SealedKey): Promise<void> {
  await db
    .update(custodyKeys)
    .set({ sealed: after.sealed, masterId: after.masterId })
    .where(and(eq(custodyKeys.address, before.address), eq(custodyKeys.sealed, before.sealed)));
}

/** A vault as the operator sees it. */
export interface CustodyVault {
  readonly wallet: Address;
  readonly vault: Address;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** Returns the vaults whose addresses come after this one, in the order of their addresses. */
export async function listVaultsAfter(
  db: Database,
  vault: string,
  limit: number,
): Promise<readonly CustodyVault[]> {
  const rows = await db
    .select({ wallet: custodyKeys.wallet, vault: custodyKeys.address, createdAt: custodyKeys.createdAt })
    .from(custodyKeys)
    .where(and(eq(custodyKeys.purpose, 'vault'), gt(custodyKeys.address, vault)))
    .orderBy(asc(custodyKeys.address))
    .limit(limit);
  return rows as unknown as readonly CustodyVault[];
}

async function findRow(db: Database, purpose: KeyPurpose, wallet: Address | ''): Promise<SealedKey | null> {
  const [row] = await db
    .select()
    .from(custodyKeys)
    .where(and(eq(custodyKeys.purpose, purpose), eq(custodyKeys.wallet, wallet)));
  return row === undefined ? null : toSealedKey(row);
}

function toSealedKey(row: typeof custodyKeys.$inferSelect): SealedKey {
  return {
    address: row.address as Address,
    purpose: row.purpose as KeyPurpose,
    wallet: row.wallet as Address | '',
    sealed: row.sealed,
    masterId: row.masterId,
  };
}
