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
  /** The unit of `value` where it is an amount in atoms whose token is known; otherwise null. */
  readonly unit: DecodedUnit | null;
}

/** An account of an instruction. */
export interface DecodedAccount {
  readonly address: string;
  readonly label: string | null;
  /** Its role in the instruction, by the name of the program's interface; null where that is not known. */
  readonly role: string | null;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** An instruction as people read it. */
export interface DecodedInstruction {
  readonly program: string;
  readonly programLabel: string | null;
  /** Null for an instruction that is not known. */
  readonly name: string | null;
  /** The known fields of its data, which may be none. */
  readonly fields: readonly DecodedField[];
  readonly accounts: readonly DecodedAccount[];
  /** The data in hexadecimal. */
  readonly data: string;
  /** 1 for an instruction of the message, 2 for a call that it makes, and so on; 0 where the node does not tell. */
  readonly depth: number;
}

/** The change of what an account holds. */
export interface DecodedBalance {
  readonly account: string;
  readonly owner: string;
  readonly label: string | null;
  readonly mint: string;
  readonly symbol: string | null;
  readonly decimals: number;
  /** Whether the amounts are the lamports of the account, and not tokens that it holds. */
  readonly native: boolean;
  readonly before: string;
  readonly after: string;
}

/** What a landed transaction did. */
export interface DecodedResult {
  readonly slot: number;
  readonly blockTime: number | null;
  /** The error's name, or null on success. */
  readonly error: string | null;
  /** What the error means, as far as that is known. */
  readonly errorText: string | null;
  readonly feeLamports: string;
  readonly unitsConsumed: number | null;
  readonly logs: readonly string[];
  readonly inner: readonly { readonly index: number; readonly instructions: readonly DecodedInstruction[] }[];
  readonly balances: readonly DecodedBalance[];
}

/** A transaction as people read it, in the form of JSON. */
export interface DecodedTransaction {
  readonly version: 'legacy' | 0;
  /** The first signature, if it is there. */
  readonly signature: string | null;
  readonly feePayer: string;
  readonly blockhash: string;
  readonly signers: readonly {
    readonly address: string;
    readonly label: string | null;
    /** Whether there is a valid signature. */
    readonly signed: boolean;
  }[];
  readonly computeUnitLimit: number | null;
  readonly computeUnitPriceMicroLamports: string | null;
  readonly lookupTables: readonly string[];
  /** The size, of at most 1,232. */
  readonly bytes: number;
  readonly instructions: readonly DecodedInstruction[];
  /** Null for a transaction that was decoded from its bytes. */
  readonly result: DecodedResult | null;
}
