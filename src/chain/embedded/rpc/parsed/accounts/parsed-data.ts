import type { Address } from '../../../../../solana/address.ts';
import type { MintDisplay } from '../token-amount.ts';

/** The `parsed` member of an account shown as `jsonParsed`. A kind without content has no `info`. */
export interface ParsedData {
  readonly type: string;
  readonly info?: unknown;
}

/** What a parser may need beyond the data itself. */
export interface ParseContext {
  readonly address: Address;
  /** For token accounts: how amounts of their mint are shown; null when the mint cannot be read. */
  readonly mint: MintDisplay | null;
}

/** Throws `LayoutInvalid` when the data is not what it parses: the account is then shown as base64. */
export type AccountParser = (data: Uint8Array, context: ParseContext) => ParsedData;
