/** A field of an account as people read it. */
export interface ShownField {
  /** The name that the program or its codec has for it; the place of an item in a list. */
  readonly name: string;
  /** An amount is in atoms, a time in Unix seconds. Of a list or a struct it says how much there is. */
  readonly value: string;
  readonly kind: 'text' | 'number' | 'address' | 'amount' | 'time' | 'bool' | 'list' | 'struct';
  /** What is known of an address. */
  readonly label?: string;
  /** The unit of an amount. The symbol is absent for a token that is in no list. */
  readonly decimals?: number;
  readonly symbol?: string;
  readonly mint?: string;
  /** The fields of a struct, or the items of a list. */
  readonly children?: readonly ShownField[];
}

/** An address that an account has to do with. */
export interface RelatedAccount {
  /** The name of the field that names it. */
  readonly role: string;
  /** What is known of it. */
  readonly label: string | null;
  readonly address: string;
}

/** An account as people read it, in the form of JSON. */
export interface ShownAccount {
  readonly address: string;
  /** The slot that the account was read at. */
  readonly slot: string;
  readonly exists: boolean;
  readonly lamports: string;
  readonly owner: string | null;
  readonly ownerLabel: string | null;
  readonly executable: boolean;
  readonly bytes: number;
  /** What the account is, as a title; null for one that nothing is known of. */
  readonly kind: string | null;
  /** One sentence that says what the account is for. */
  readonly summary: string;
  /** What labels call this address: a token's account of somebody, a pool of two tokens. */
  readonly label: string | null;
  /** The name of the program: of this one, or of the account's owner. */
  readonly program: string | null;
  readonly fields: readonly ShownField[];
  readonly related: readonly RelatedAccount[];
  /** The names of the instructions of a program that are known. */
  readonly instructions: readonly string[];
  /** The first bytes of the data in base64; null for an account without data. */
  readonly data: string | null;
  /** What has a page of its own under this address. */
  readonly links: { readonly pool: boolean; readonly token: boolean };
}
