import type { Address } from '../../../../../solana/address.ts';
import type { MintDisplay } from '../../../../../solana/programs/token/display-amount.ts';

/** The `parsed` member of an account in `jsonParsed`. A type without content has no `info`. */
export interface ParsedData {
  readonly type: string;
  readonly info?: unknown;
}

/** What a parser may need in addition to the data. */
export interface ParseContext {
  readonly address: Address;
  /** For token accounts, how to format amounts of their mint. Null when the mint cannot be read. */
  readonly mint: MintDisplay | null;
}

/** Throws `LayoutInvalid` when the data has another layout. The account is then encoded as base64. */
export type AccountParser = (data: Uint8Array, context: ParseContext) => ParsedData;
