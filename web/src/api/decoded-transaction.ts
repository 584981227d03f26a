import { postJson } from './call.ts';

/** A transaction that can be read: what `POST /portal/data/decode` answers. */
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

/** One instruction of a decoded transaction. */
export interface DecodedInstruction {
  readonly program: string;
  /** Such as `Raydium CPMM`. */
  readonly programLabel: string | null;
  /** Such as `swap_base_input`. */
  readonly name: string | null;
  /** What is known of its data. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly accounts: readonly {
    readonly address: string;
    readonly label: string | null;
    readonly role: string | null;
    readonly signer: boolean;
    readonly writable: boolean;
  }[];
  /** Hexadecimal. */
  readonly data: string;
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
  readonly inner: readonly {
    readonly index: number;
    readonly instructions: readonly DecodedInstruction[];
  }[];
  readonly balances: readonly BalanceChange[];
}

/** What an account had of a token before and after. SOL stands under the mint of wrapped SOL, in lamports. */
export interface BalanceChange {
  readonly account: string;
  readonly owner: string;
  readonly label: string | null;
  readonly mint: string;
  readonly symbol: string | null;
  readonly decimals: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Decodes a transaction in base64, or one of the embedded network that landed, by its signature.
 *
 * @throws ApiError if it is no transaction, or none with this signature has landed
 */
export function decodeTransaction(
  subject: { readonly transaction: string } | { readonly signature: string },
): Promise<DecodedTransaction> {
  return postJson('/portal/data/decode', subject);
}
