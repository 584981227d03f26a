import type { Account } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import { LayoutInvalid } from '../solana/byte-reader.ts';
import { isTokenProgram } from '../solana/programs.ts';
import { decodeTokenAccount, isTokenAccount } from '../solana/token/account.ts';
import { ExtensionType } from '../solana/token/extensions.ts';
import { decodeMint, isMint } from '../solana/token/mint.ts';
import type { KnownBalance, KnownMint } from './check-snapshot.ts';
import type { BookToken } from './live-book.ts';

/** With these a fill would not pay what it says, or would fail. */
const UNUSABLE_EXTENSIONS: ReadonlyMap<number, string> = new Map([
  [ExtensionType.TRANSFER_FEE_CONFIG, 'takes a fee on transfers, so that a fill would pay less than quoted'],
  [ExtensionType.TRANSFER_HOOK, 'calls a program on transfers, which fills do not carry the accounts of'],
  [ExtensionType.NON_TRANSFERABLE, 'cannot be transferred'],
]);

/** What the account under a mint's address says; the reason continues a sentence. */
export function mintOf(mint: Address, account: Account | null): KnownMint {
  if (account === null) return { unusable: `must be a mint, but ${mint} does not exist on this network` };
  if (!isTokenProgram(account.owner) || !isMint(account.data)) {
    return { unusable: `must be a mint, but ${mint} is another account` };
  }
  const decoded = readOrNull(() => decodeMint(account.data));
  if (decoded === null) return { unusable: `must be a mint, but ${mint} has data that is none` };
  const { decimals, extensions } = decoded;
  const reasons = extensions.flatMap(({ type }) => UNUSABLE_EXTENSIONS.get(type) ?? []);
  if (reasons.length > 0) return { unusable: `cannot be quoted: ${mint} ${reasons.join(', and it ')}` };
  return { mint, decimals, tokenProgram: account.owner };
}

/** What the account under the address of a maker's associated token account says; the reason continues a sentence. */
export function balanceOf(
  address: Address,
  account: Account | null,
  { mint, tokenProgram }: BookToken,
): KnownBalance {
  if (account === null) return { unusable: `the token account ${address} does not exist` };
  if (account.owner !== tokenProgram || !isTokenAccount(account.data)) {
    return { unusable: `${address} is not a token account of the mint's program` };
  }
  const decoded = readOrNull(() => decodeTokenAccount(account.data));
  if (decoded === null) return { unusable: `the token account ${address} has data that is none` };
  const { amount, state, mint: held } = decoded;
  if (held !== mint) return { unusable: `${address} holds ${held} in place of ${mint}` };
  return state === 'frozen' ? { unusable: `the token account ${address} is frozen` } : { amount };
}

/** Anybody can make a Token-2022 account whose extensions cannot be read. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
