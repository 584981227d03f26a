import { ByteReader, LayoutInvalid } from '../../../../../solana/codec/byte-reader.ts';
import { SYSTEM_PROGRAM } from '../../../../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../../../../solana/programs/token/account.ts';
import { MULTISIG_SIZE } from '../../../../../solana/programs/token/extensions.ts';
import { decodeMint } from '../../../../../solana/programs/token/mint.ts';
import { toUiTokenAmount } from '../../../../../solana/programs/token/display-amount.ts';
import type { ParseContext, ParsedData } from './parsed-data.ts';
import { parseExtensions } from './token-extensions.ts';

/** Parses the accounts of both token programs: token accounts, mints and multisigs. */
export function parseTokenData(data: Uint8Array, context: ParseContext): ParsedData {
  if (isTokenAccount(data)) return tokenAccount(data, context);
  if (data.length === MULTISIG_SIZE) return multisig(data);
  return mint(data);
}

function tokenAccount(data: Uint8Array, { mint: display }: ParseContext): ParsedData {
  if (display === null) throw new LayoutInvalid('the mint of the token account cannot be read');
  const account = decodeTokenAccount(data);
  const { mint, owner, delegate, state, nativeReserve, closeAuthority } = account;
  const info = {
    mint,
    owner,
    tokenAmount: toUiTokenAmount(account.amount, display),
    delegate: delegate ?? undefined,
    state,
    isNative: nativeReserve !== null,
    rentExemptReserve: nativeReserve === null ? undefined : toUiTokenAmount(nativeReserve, display),
    delegatedAmount: delegate === null ? undefined : toUiTokenAmount(account.delegatedAmount, display),
    closeAuthority: closeAuthority ?? undefined,
    extensions: parseExtensions(account.extensions),
  };
  return { type: 'account', info };
}

function mint(data: Uint8Array): ParsedData {
  const { mintAuthority, supply, decimals, freezeAuthority, extensions } = decodeMint(data);
  const info = {
    mintAuthority,
    supply: supply.toString(),
    decimals,
    isInitialized: true,
    freezeAuthority,
    extensions: parseExtensions(extensions),
  };
  return { type: 'mint', info };
}

const MAX_SIGNERS = 11;

function multisig(data: Uint8Array): ParsedData {
  const reader = new ByteReader(data, 'multisig');
  const numRequiredSigners = reader.u8();
  const numValidSigners = reader.u8();
  if (!reader.bool()) reader.fail('it is not initialized');
  const signers = Array.from({ length: MAX_SIGNERS }, () => reader.address());
  const info = {
    numRequiredSigners,
    numValidSigners,
    isInitialized: true,
    // Unused places contain zeros, which read as the System program's address.
    signers: signers.filter((signer) => signer !== SYSTEM_PROGRAM),
  };
  return { type: 'multisig', info };
}
