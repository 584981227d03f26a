import type { Work } from '../common/work/work.ts';
import type { Address } from '../solana/address.ts';

/** The state of an account. `data` is shared and never copied: do not write to it. */
export interface Account {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
  readonly rentEpoch: bigint;
}

/** A token that a wallet may hold: its mint, and the token program that owns the mint. */
export interface HeldToken {
  readonly mint: Address;
  readonly program: Address;
}

/** The state of an account as of `slot`. `account` is null when it does not exist. */
export interface AccountUpdate {
  readonly address: Address;
  readonly slot: bigint;
  readonly account: Account | null;
  /** True when slots that were reported earlier turned out not to exist. It then replaces any known state. */
  readonly isRollback?: boolean | undefined;
}

/** Selects accounts of a program. An account has to match all given conditions. */
export interface AccountFilter {
  /** The length of the data in bytes. Default: any. */
  readonly dataSize?: number | undefined;
  /** Bytes that the data contains at an offset. RPC nodes accept at most 128. */
  readonly memcmp?: { readonly offset: number; readonly bytes: Uint8Array };
}

/** Returns whether account data has the size and the bytes that the filter asks for. */
export function matchesAccountFilter({ dataSize, memcmp: holds }: AccountFilter, data: Uint8Array): boolean {
  if (dataSize !== undefined && data.length !== dataSize) return false;
  if (holds === undefined) return true;
  const { offset, bytes } = holds;
  return data.length >= offset + bytes.length && bytes.every((byte, index) => data[offset + index] === byte);
}

/** The 32 bytes of a program's accounts, at one offset of their data, that hold an address. */
export interface AddressField {
  readonly offset: number;
  /** The length of the data in bytes. Default: any, for accounts that the program writes in several lengths. */
  readonly dataSize?: number;
  /**
   * What the data of those accounts begins with. A watch that selects accounts by it knows them too. Accounts that begin
   * otherwise may be found as well. Default: not known.
   */
  readonly startsWith?: Uint8Array;
}

/**
 * Reads accounts so that what is read belongs together.
 *
 * Methods reject with `ChainUnavailable` when the network does not answer, or no longer keeps the state of the slot; of the
 * kind `refused` when an outside RPC refuses a search, or a request has used up its calls.
 */
export interface AccountView {
  /**
   * The slots that the reads so far are as of. They are one slot over the embedded network. An outside RPC answers each
   * call as of its newest slot, never an older one than the call before.
   */
  slots(): { readonly oldest: bigint; readonly newest: bigint };
  /** How many calls of an outside RPC the view can make in all: one for each 100 accounts, and for each search. Null: any number. */
  readonly maxCalls: number | null;
  /** About how many accounts the view can read in all, because an outside RPC takes a call for each 100. Null: any number. */
  readonly maxAccounts: number | null;
  /** Reads accounts, in the order of `addresses`: many of them in turns, of `work` if it is given. */
  getAccounts(addresses: readonly Address[], work?: Work): Promise<readonly AccountUpdate[]>;
  /**
   * Returns whether `findAccounts` by this field needs no search: an index of the field is kept current. It is for the
   * embedded network always, and over an outside RPC for programs that are watched.
   */
  indexes(program: Address, field: AddressField): boolean;
  /**
   * Reads the accounts of a program that match the filter. The embedded network finds those that hold an address at an
   * offset by an index, so the cost depends on what is found alone.
   */
  getProgramAccounts(program: Address, filter?: AccountFilter): Promise<readonly AccountUpdate[]>;
  /** Finds the accounts of a program whose field holds one of the addresses. Repeated addresses count once. */
  findAccounts(
    program: Address,
    field: AddressField,
    addresses: readonly Address[],
  ): Promise<readonly AccountUpdate[]>;
  /**
   * Reads the associated token accounts of owners. The embedded network finds them by an index, and derives no address of a
   * token that the owner does not hold. Those of one owner are as of one moment.
   *
   * Returns for each owner one for each token, with null where the owner has none, or has given it to somebody else.
   */
  getAssociatedAccounts(
    owners: readonly Address[],
    tokens: readonly HeldToken[],
    work: Work,
  ): Promise<readonly (readonly (AccountUpdate | null)[])[]>;
  /**
   * Reads the initialized token accounts, of both token programs, whose owner is `owner`: in pieces that each fit a turn of
   * the work, because anybody can create any number of them. It takes two searches.
   */
  tokenAccounts(owner: Address, work: Work): AsyncIterable<readonly AccountUpdate[]>;
}
