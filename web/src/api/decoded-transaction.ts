// The form of what `POST /portal/data/decode` answers. `test/portal-forms.test.ts` holds that it is the server's. The
// server's tests read this file without the types of a browser, so it imports nothing.

/** The unit of an amount in atoms. */
export interface DecodedUnit {
  readonly mint: string;
  /** Null for a token that is in no list. */
  readonly symbol: string | null;
  readonly decimals: number;
}

/** A field of an instruction's data. */
export interface DecodedField {
  readonly name: string;
  readonly value: string;
  /** The unit of `value` where it is an amount in atoms whose token is known. */
  readonly unit: DecodedUnit | null;
}

/** An account of an instruction. */
export interface DecodedAccount {
  readonly address: string;
  readonly label: string | null;
  readonly role: string | null;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** One instruction of a decoded transaction, or a call that it made. */
export interface DecodedInstruction {
  readonly program: string;
  /** Such as `Raydium CPMM`. */
  readonly programLabel: string | null;
  /** Such as `swap_base_input`. */
  readonly name: string | null;
  readonly fields: readonly DecodedField[];
  readonly accounts: readonly DecodedAccount[];
  /** Hexadecimal. */
  readonly data: string;
  /** 1 for an instruction of the message, 2 for a call that it makes, and so on; 0 where the node does not tell. */
  readonly depth: number;
}

/** What an account had of a token, or in lamports, before and after. */
export interface BalanceChange {
  readonly account: string;
  readonly owner: string;
  readonly label: string | null;
  readonly mint: string;
  readonly symbol: string | null;
  readonly decimals: number;
  /** Whether these are the lamports of the account. Their mint is that of wrapped SOL. */
  readonly native: boolean;
  readonly before: string;
  readonly after: string;
}

/** What a transaction that landed has done. */
export interface TransactionResult {
  readonly slot: number;
  /** Unix seconds. */
  readonly blockTime: number | null;
  readonly error: string | null;
  readonly errorText: string | null;
  readonly feeLamports: string;
  readonly unitsConsumed: number | null;
  readonly logs: readonly string[];
  readonly inner: readonly { readonly index: number; readonly instructions: readonly DecodedInstruction[] }[];
  readonly balances: readonly BalanceChange[];
}

/** A transaction that can be read. */
export interface DecodedTransaction {
  readonly version: 'legacy' | 0;
  /** The first signature if it is set. */
  readonly signature: string | null;
  readonly feePayer: string;
  readonly blockhash: string;
  readonly signers: readonly {
    readonly address: string;
    readonly label: string | null;
    readonly signed: boolean;
  }[];
  readonly computeUnitLimit: number | null;
  readonly computeUnitPriceMicroLamports: string | null;
  readonly lookupTables: readonly string[];
  /** Of 1,232. */
  readonly bytes: number;
  readonly instructions: readonly DecodedInstruction[];
  /** Of a transaction that landed. */
  readonly result: TransactionResult | null;
}
