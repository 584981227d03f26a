import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { type Instruction, isSigner } from '../../solana/messages/instruction.ts';
import { decodeLookupTable } from '../../solana/messages/lookup-table.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../solana/program-addresses.ts';
import { U64_MAX } from '../../solana/units.ts';

/** The bytes that a message spends on naming a table: an address and two counts. */
const TABLE_BYTES = 34;
/** The bytes saved for each account in a table: an index of one byte replaces the address. */
const SAVED_BYTES = 31;
/** A transaction is too small for more tables to pay for themselves. */
const MAX_TABLES = 8;
/** How many combinations of tables are cached. Callers also cache JSON for each of them. */
const COMBINATIONS = 64;

/** The contents of tables by their addresses. It is shared and must not be changed. */
export type ChosenTables = Readonly<Record<Address, Address[]>>;

interface Table {
  readonly address: Address;
  readonly contents: Address[];
  /** Its index in `#tables`, used for counting. */
  readonly place: number;
}

/**
 * The contents of the lookup tables that transactions may use, kept current by updates from the chain.
 *
 * @example
 * ```ts
 * import type { Chain } from '../../chain/chain.ts';
 * import type { Address } from '../../solana/address.ts';
 * import type { Instruction } from '../../solana/messages/instruction.ts';
 * import { LookupTableIndex } from './lookup-tables.ts';
 *
 * // Lists the addresses of the tables that make a transaction with the instruction smaller.
 * async function tablesFor(chain: Chain, tables: readonly Address[], instruction: Instruction) {
 *   const lookupTables = await LookupTableIndex.open(chain, tables);
 *   return Object.keys(lookupTables.covering(instruction) ?? {});
 * }
 * ```
 */
export class LookupTableIndex {
  readonly #contents = new Map<Address, Address[]>();
  #tables: readonly Table[] = [];
  /** For each address, the tables that contain it. */
  readonly #holders = new Map<Address, Table[]>();
  /** The key is the indexes of the tables. */
  #combinations = new BoundedCache<string, ChosenTables>(COMBINATIONS);
  readonly #stop: () => void;

  private constructor(chain: Chain, addresses: readonly Address[]) {
    this.#stop = chain.watchAccounts(addresses, (updates) => this.#apply(updates));
  }

  /** @param addresses - Those of the tables that transactions may use. */
  static async open(chain: Chain, addresses: readonly Address[]): Promise<LookupTableIndex> {
    const tables = new LookupTableIndex(chain, addresses);
    tables.#apply(await chain.getAccounts(addresses));
    return tables;
  }

  /**
   * Chooses the tables that make a transaction with this instruction smaller, the most useful first.
   *
   * Returns all addresses of each chosen table, or null if no table helps.
   */
  covering({ accounts }: Instruction): ChosenTables | null {
    let wanted: (readonly Table[])[] = [];
    for (const { address, role, named } of accounts) {
      const holders = isSigner(role) || named === true ? undefined : this.#holders.get(address);
      // Each address has its own list, so the list identifies the address.
      if (holders !== undefined && !wanted.includes(holders)) wanted.push(holders);
    }
    const chosen: Table[] = [];
    while (chosen.length < MAX_TABLES && wanted.length > 0) {
      const best = this.#best(wanted);
      if (best === null) break;
      chosen.push(best);
      wanted = wanted.filter((holders) => !holders.includes(best));
    }
    return chosen.length === 0 ? null : this.#together(chosen);
  }

  /** Returns all addresses in a table; null if it is not one of the tables that transactions may use. */
  contentsOf(table: Address): readonly Address[] | null {
    return this.#contents.get(table) ?? null;
  }

  close(): void {
    this.#stop();
  }

  /** Returns the identical object for the same tables, so that callers can cache by it. */
  #together(chosen: readonly Table[]): ChosenTables {
    const key = chosen.map(({ place }) => place).join();
    let tables = this.#combinations.get(key);
    if (tables === undefined) {
      tables = Object.fromEntries(chosen.map(({ address, contents }) => [address, contents]));
      this.#combinations.set(key, tables);
    }
    return tables;
  }

  /** Returns the table that saves the most bytes, the first one of equals; null if none saves any. */
  #best(wanted: readonly (readonly Table[])[]): Table | null {
    const held = new Array<number>(this.#tables.length).fill(0);
    for (const holders of wanted) {
      for (const { place } of holders) held[place] = (held[place] ?? 0) + 1;
    }
    let best: Table | null = null;
    let most = Math.floor(TABLE_BYTES / SAVED_BYTES);
    for (const table of this.#tables) {
      const count = held[table.place] ?? 0;
      if (count > most) [best, most] = [table, count];
    }
    return best;
  }

  #apply(updates: readonly AccountUpdate[]): void {
    for (const { address, account } of updates) {
      const contents = account === null ? null : activeContents(account);
      if (contents === null) this.#contents.delete(address);
      else this.#contents.set(address, contents);
    }
    this.#tables = [...this.#contents].map(([address, contents], place) => ({ address, contents, place }));
    this.#combinations = new BoundedCache(COMBINATIONS);
    this.#holders.clear();
    for (const table of this.#tables) {
      for (const each of new Set(table.contents)) {
        const holders = this.#holders.get(each);
        if (holders === undefined) this.#holders.set(each, [table]);
        else holders.push(table);
      }
    }
  }
}

/**
 * Returns null if it is not a table, or a table that is being deactivated. Such a table still resolves for a while, but
 * not for as long as a quote may be kept.
 */
function activeContents({ owner, data }: Account): Address[] | null {
  if (owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) return null;
  try {
    const table = decodeLookupTable(data);
    return table.deactivationSlot === U64_MAX ? [...table.addresses] : null;
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
