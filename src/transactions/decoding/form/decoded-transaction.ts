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

/** Why a transaction failed, for people. */
export interface DecodedFailure {
  /** What it failed for, such as `slippage`. Pages choose nothing by it but its looks. */
  readonly kind: string;
  /** All of it in one sentence. */
  readonly sentence: string;
  /** The index of the instruction that failed; null if the transaction did not begin. */
  readonly instruction: number | null;
  /** The index, among the calls of that instruction, of the one that failed; null if it was the instruction itself. */
  readonly call: number | null;
  /** The program that failed first. */
  readonly program: string | null;
  readonly programLabel: string | null;
  /** The program's own code. */
  readonly code: number | null;
  /** The name of the error. */
  readonly name: string | null;
  readonly meaning: string | null;
  /** The index of the line of the log that says it. */
  readonly logLine: number | null;
  /** The numbers that it is about, such as what was asked for and what was there. */
  readonly facts: readonly DecodedField[];
  /** What one can do about it. */
  readonly advice: string;
}

/** A call of a program as the log of a transaction tells it. */
export interface DecodedTrace {
  readonly program: string;
  /** 1 for an instruction of the message, 2 for a call that it makes, and so on. */
  readonly depth: number;
  /** The index of the instruction of the message that it belongs to; null if the log does not tell. */
  readonly instruction: number | null;
  /** Its index among the calls of that instruction; null for the instruction itself, and if the log does not tell. */
  readonly call: number | null;
  /** The indexes of its first and its last line in the log. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The compute units that it and its calls used. Native programs do not log them. */
  readonly units: number | null;
  /** The compute units that were left when it began. */
  readonly unitsLeft: number | null;
  /** `unfinished`: the log ends before the call does. */
  readonly outcome: 'success' | 'failed' | 'unfinished';
}

/** An event that a program wrote into the log. */
export interface DecodedEvent {
  readonly program: string;
  readonly programLabel: string | null;
  /** Null if it is not known. */
  readonly name: string | null;
  readonly fields: readonly DecodedField[];
  /** Hexadecimal. */
  readonly data: string;
  readonly logLine: number;
}

/** What a program returned. */
export interface DecodedReturn {
  readonly program: string;
  readonly programLabel: string | null;
  /** Hexadecimal. */
  readonly data: string;
}

/** What a landed transaction did. */
export interface DecodedResult {
  readonly slot: number;
  readonly blockTime: number | null;
  /** The error's name, or null on success. */
  readonly error: string | null;
  /** What the error means, as far as that is known. */
  readonly errorText: string | null;
  /** Null on success. */
  readonly failure: DecodedFailure | null;
  readonly feeLamports: string;
  readonly unitsConsumed: number | null;
  readonly logs: readonly string[];
  readonly inner: readonly { readonly index: number; readonly instructions: readonly DecodedInstruction[] }[];
  readonly balances: readonly DecodedBalance[];
  /** The calls of programs by the log, in the order in which they began. */
  readonly trace: readonly DecodedTrace[];
  readonly events: readonly DecodedEvent[];
  readonly returned: DecodedReturn | null;
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
