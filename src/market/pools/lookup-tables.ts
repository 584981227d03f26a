import type { Account, AccountUpdate, Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { type Instruction, isSigner } from '../../solana/messages/instruction.ts';
import { decodeLookupTable } from '../../solana/messages/lookup-table.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../solana/program-addresses.ts';
import { U64_MAX } from '../../solana/units.ts';

/** A message names a table with 32 bytes of address and two counts. */
const TABLE_BYTES = 34;
/** An account in a table costs an index of one byte instead of its address. */
const SAVED_BYTES = 31;
/** More tables than this never pay for themselves within one transaction. */
const MAX_TABLES = 8;
/** Choices of tables that are kept, as many as busy pairs make: their text is too. */
const COMBINATIONS = 64;

/** The contents of tables by their addresses. Nobody changes it: what is made of it is kept. */
export type ChosenTables = Readonly<Record<Address, Address[]>>;

interface Table {
  readonly address: Address;
  readonly contents: Address[];
  /** Its place among the tables, by which counts are kept. */
  readonly place: number;
}

/** The contents of the lookup tables that transactions may use, kept current by the chain's updates. */
export class LookupTables {
  readonly #contents = new Map<Address, Address[]>();
  #tables: readonly Table[] = [];
  /** The tables that hold an address. */
  readonly #holders = new Map<Address, Table[]>();
  /** By the places of the tables. */
  #combinations = new BoundedCache<string, ChosenTables>(COMBINATIONS);
  readonly #stop: () => void;

  private constructor(chain: Chain, addresses: readonly Address[]) {
    this.#stop = chain.watchAccounts(addresses, (updates) => this.#apply(updates));
  }

  static async open(chain: Chain, addresses: readonly Address[]): Promise<LookupTables> {
    const tables = new LookupTables(chain, addresses);
    tables.#apply(await chain.getAccounts(addresses));
    return tables;
  }

  /**
   * The tables that make a transaction with this instruction smaller, with all their addresses, the most useful first.
   * Null when there are none.
   */
  covering({ accounts }: Instruction): ChosenTables | null {
    let wanted: (readonly Table[])[] = [];
    for (const { address, role, named } of accounts) {
      const holders = isSigner(role) || named === true ? undefined : this.#holders.get(address);
      // An address has a list of its own, which so stands for it.
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

  close(): void {
    this.#stop();
  }

  /** One and the same object for the same tables, by which what is made of it can be kept. */
  #together(chosen: readonly Table[]): ChosenTables {
    const key = chosen.map(({ place }) => place).join();
    let tables = this.#combinations.get(key);
    if (tables === undefined) {
      tables = Object.fromEntries(chosen.map(({ address, contents }) => [address, contents]));
      this.#combinations.set(key, tables);
    }
    return tables;
  }

  /** The table that saves the most bytes, if any does; of equals, the one that was there first. */
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

/** Null when it is no table, or one that is being deactivated: that resolves for a while, but not as long as a quote may be kept. */
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
