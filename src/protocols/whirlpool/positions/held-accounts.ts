import {
  readEach,
  type Unreadable,
  type WalletMint,
  type WalletReader,
} from '../../../protocol/positions/fetcher.ts';
import {
  MAX_READ_AT_ONCE,
  type MintAccount,
  readMintAccounts,
} from '../../../protocol/positions/mint-accounts.ts';
import type { Address } from '../../../solana/address.ts';
import {
  deriveBundledPositionAddress,
  deriveWhirlpoolPositionAddress,
  derivePositionBundleAddress,
} from '../program/addresses.ts';
import { WHIRLPOOL_PROGRAM } from '../program/program.ts';
import { decodePositionBundle } from './layout.ts';

/** Bundled positions of a wallet that are read. Deriving their addresses takes time, and anybody may send bundles. */
export const MAX_BUNDLED_POSITIONS = 512;

/** An account of the program that belongs to one of the wallet's tokens. */
export interface HeldPositionAccount {
  readonly address: Address;
  readonly data: Uint8Array;
  /** The mint of the token. */
  readonly mint: Address;
}

/** Finds the positions and the bundles of positions that tokens of the wallet stand for, in one round of reads. */
export async function findHeldPositionAccounts(wallet: WalletReader): Promise<{
  readonly positions: readonly HeldPositionAccount[];
  readonly bundles: readonly HeldPositionAccount[];
}> {
  const held = await wallet.singleTokens();
  // The first position of a bundle is read with the bundle, which saves most bundles a round of reads.
  if (held.length <= MAX_READ_AT_ONCE) {
    void wallet.accounts(held.map(({ mint }) => deriveBundledPositionAddress(mint, 0)));
  }
  const [positions, bundles] = await Promise.all([
    readMintAccounts(wallet, held, isUnique, (mint) => deriveWhirlpoolPositionAddress(mint).address),
    readMintAccounts(wallet, held, isUnique, derivePositionBundleAddress),
  ]);
  return { positions: positions.flatMap(ofProgram), bundles: bundles.flatMap(ofProgram) };
}

/** A token that stands for something is the only one of its mint, and cannot be divided. */
function isUnique({ decimals, supply, mintAuthority }: WalletMint): boolean {
  return decimals === 0 && supply === 1n && mintAuthority === null;
}

function ofProgram({ address, account, mint }: MintAccount): HeldPositionAccount[] {
  return account?.owner === WHIRLPOOL_PROGRAM ? [{ address, data: account.data, mint: mint.address }] : [];
}

/** Reads the open positions of bundles, as many as `MAX_BUNDLED_POSITIONS`. Bundles that have more are reported. */
export async function readBundledPositions(
  wallet: WalletReader,
  bundles: readonly HeldPositionAccount[],
): Promise<{ readonly found: readonly HeldPositionAccount[]; readonly unreadable: readonly Unreadable[] }> {
  const { positions: decoded, unreadable } = readEach(bundles, ({ address, mint, data }) => ({
    address,
    mint,
    open: decodePositionBundle(data).open,
  }));
  const asked: { readonly address: Address; readonly mint: Address }[] = [];
  const omitted: Unreadable[] = [];
  for (const { address, mint, open } of decoded) {
    const read = open.slice(0, MAX_BUNDLED_POSITIONS - asked.length);
    asked.push(...read.map((index) => ({ address: deriveBundledPositionAddress(mint, index), mint })));
    if (read.length === open.length) continue;
    const reason = `${open.length - read.length} positions of the bundle are beyond the ${MAX_BUNDLED_POSITIONS} that are read`;
    omitted.push({ address, reason });
  }
  const accounts = await wallet.accounts(asked.map(({ address }) => address));
  const found: HeldPositionAccount[] = [];
  const missing: Unreadable[] = [];
  for (const [index, { address, mint }] of asked.entries()) {
    const account = accounts[index] ?? null;
    if (account?.owner === WHIRLPOOL_PROGRAM) found.push({ address, data: account.data, mint });
    else missing.push({ address, reason: 'the bundle says that it is open, but there is no such position' });
  }
  return { found, unreadable: [...unreadable, ...omitted, ...missing] };
}
