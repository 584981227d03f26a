import { type Address, toAddress } from '../../../../../solana/address.ts';
import { LayoutInvalid } from '../../../../../solana/codec/byte-reader.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  isTokenProgram,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../../solana/program-addresses.ts';
import { isTokenAccount } from '../../../../../solana/programs/token/account.ts';
import type { Account } from '../../../../accounts.ts';
import type { MintDisplays } from '../mint-display.ts';
import { parseLookupTable } from './lookup-table.ts';
import { parseNonce } from './nonce.ts';
import type { AccountParser, ParsedData } from './parsed-data.ts';
import { parseSysvar } from './sysvar.ts';
import { parseTokenData } from './token.ts';
import { parseUpgradeableLoader } from './upgradeable-loader.ts';

/** The owners' names on the public interface, and their parsers. A new owner is one line here. */
const OWNERS: ReadonlyMap<Address, readonly [string, AccountParser]> = new Map<
  Address,
  readonly [string, AccountParser]
>([
  [SYSTEM_PROGRAM, ['nonce', parseNonce]],
  [TOKEN_PROGRAM, ['spl-token', parseTokenData]],
  [TOKEN_2022_PROGRAM, ['spl-token-2022', parseTokenData]],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, ['address-lookup-table', parseLookupTable]],
  [BPF_LOADER_UPGRADEABLE, ['bpf-upgradeable-loader', parseUpgradeableLoader]],
  [SYSVAR_OWNER, ['sysvar', parseSysvar]],
]);

export interface ParsedAccount {
  readonly program: string;
  readonly parsed: ParsedData;
  readonly space: number;
}

/** Parses an account for `jsonParsed`. Returns null, for base64 instead, when its owner or layout is unknown. */
export function parseAccount(address: Address, account: Account, mints: MintDisplays): ParsedAccount | null {
  const { owner, data } = account;
  const found = OWNERS.get(owner);
  if (found === undefined) return null;
  const [program, parse] = found;
  const holdsTokens = isTokenProgram(owner) && isTokenAccount(data);
  try {
    const parsed = parse(data, { address, mint: holdsTokens ? mints(toAddress(data)) : null });
    return { program, parsed, space: data.length };
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
