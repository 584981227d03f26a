import type { AccountUpdate } from '../../../chain/accounts.ts';
import type { FillTerms } from '../../../swaps/fill-terms.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { isWritableIndex, parseMessage } from '../../../solana/messages/message.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { isTokenProgram, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../../solana/programs/token/account.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import type { StoredOrder } from '../../../swaps/orders/stored-order.ts';

/** A maker's swap has some ten accounts. Those of pools are not looked at beyond these. */
const MAX_WATCHED = 16;

/** The accounts with which somebody else than the maker can make a maker's swap fail. */
export interface WatchedFillAccounts {
  /** The wallet of the taker, what it pays from, what it is paid into, and then all others that the swap changes. */
  readonly watched: readonly Address[];
  /** Those whose every change is a reason to simulate the swap again. */
  readonly own: ReadonlySet<Address>;
  /** Whether a token account's owner has given it away, or makes the transfers of this swap fail. */
  isShut(update: AccountUpdate): boolean;
}

/**
 * Names the accounts that a swap changes, without those of its maker, which must not be able to excuse itself. What
 * `isShut` looks for can only be done by the owner of an account.
 */
export function getWatchedFillAccounts(order: StoredOrder, terms: FillTerms): WatchedFillAccounts {
  const { taker, spends, receiver, outputMint, messageBytes } = order;
  const message = parseMessage(messageBytes);
  const { maker, from = maker, to = maker, handedOnTo } = terms;
  const changed = message.staticAccounts.filter(
    (each, index) => isWritableIndex(message, index) && each !== maker && each !== from && each !== to,
  );
  const recipient = receiver ?? taker;
  const owners = new Map<Address, Address>();
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    const output = deriveAssociatedTokenAddress(recipient, outputMint, program);
    if (changed.includes(output)) owners.set(output, recipient);
  }
  if (spends !== undefined && !spends.isNative) owners.set(spends.account, taker);
  const own = new Set([taker, spends?.account ?? taker, ...owners.keys()]);
  // A receiver that gives its account away for a while must not look innocent either.
  if (handedOnTo !== undefined && changed.includes(handedOnTo)) own.add(handedOnTo);
  return {
    own,
    watched: [...new Set([...own, ...changed])].slice(0, MAX_WATCHED),
    isShut: ({ address, account }) => {
      if (account === null || !isTokenProgram(account.owner) || !isTokenAccount(account.data)) return false;
      const expected = owners.get(address);
      if (expected === maker) return false;
      const read = readOwner(account.data, address === spends?.account);
      if (read === null) return false;
      if (expected !== undefined && read.owner !== expected) return true;
      return read.refuses && read.owner !== maker && (read.owner === taker || read.owner === recipient);
    },
  };
}

/** Reads whose a token account is, and whether its owner makes it refuse to pay, or to be paid into. */
function readOwner(data: Uint8Array, isPaying: boolean): { owner: Address; refuses: boolean } | null {
  const refusal = isPaying ? ExtensionType.CPI_GUARD : ExtensionType.MEMO_TRANSFER;
  try {
    const { owner, extensions } = decodeTokenAccount(data);
    return { owner, refuses: extensions.some((each) => each.type === refusal && each.data[0] === 1) };
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
