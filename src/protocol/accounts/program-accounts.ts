import type { Address } from '../../solana/address.ts';

/** Stands for the account's own address where a hint names a mint. */
export const OWN_ADDRESS = 'own address';

/** What a field of an account means, so that people can read its value. */
export type AccountFieldHint =
  /** Unix seconds. */
  | 'time'
  | 'lamports'
  /** Text that looks like an address in base58 but is not, or text that anybody could have written. */
  | 'text'
  /** Not shown. */
  | 'hidden'
  /** An amount in atoms. The hint names the field that is the mint: if both are lists, each amount has the mint in its place. */
  | { readonly amountOf: string }
  /** An amount in units of this many decimals, which no mint in the account has. */
  | { readonly decimals: number; readonly symbol?: string }
  /** A share: the value out of this many. */
  | { readonly outOf: number }
  /** The names of the values of an enumeration. */
  | { readonly names: Readonly<Record<string, string>> };

/** The hints of the fields of an account, by the names of the fields. Fields without one are shown as they are. */
export type AccountFieldHints = Readonly<Record<string, AccountFieldHint>>;

/** A type of account of a program. */
export interface AccountType {
  /** What the account is, as a title: 'Liquidity pool'. */
  readonly name: string;
  /** One sentence that says what the account is for. */
  readonly summary: string;
  /**
   * Reads an account by the codec that the protocol has. Values are numbers, texts, bytes, lists, maps, and objects of them.
   *
   * Returns null for an account of another type.
   *
   * @throws LayoutInvalid for an account of another type, or an invalid one.
   */
  readonly read: (data: Uint8Array, address: Address) => object | null;
  /** What the fields mean. Default: they are shown as they are. */
  readonly fields?: AccountFieldHints;
}

/** The accounts of a program, by which they are shown to people. Nothing is executed or signed by them. */
export interface ProgramAccounts {
  readonly program: Address;
  /** The program's name, as people know it. Default: the name that its instructions have. */
  readonly label?: string;
  /** The types of accounts. The first that reads an account is its type. */
  readonly types: readonly AccountType[];
}

/** Dollars with six decimals. */
export const MICRO_DOLLARS: AccountFieldHint = { decimals: 6, symbol: 'USD' };
/** A share in basis points. */
export const BASIS_POINTS: AccountFieldHint = { outOf: 10_000 };
