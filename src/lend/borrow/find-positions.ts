import type { AccountView } from '../../chain/accounts.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import { mapInTurns, type Work } from '../../common/work/work.ts';
import type { VaultPosition } from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import type { Address } from '../../solana/address.ts';
import { type BorrowServices, type ListedVault, listVaults } from './borrow.ts';
import type { MarketName } from './markets.ts';
import { type PositionView, findPositionsAmong, computePositionView } from './positions.ts';
import { BorrowRefused, createCrowdedRefusal } from './refusals.ts';
import type { VaultIndex } from './vault-index.ts';

/** The most positions in one answer. Each is sent with its whole vault, so this many are about two megabytes. */
export const MAX_POSITIONS = 500;
/**
 * The most token accounts that the wallets of one request may have. Anybody can send tokens to a wallet, and its owner
 * must still be able to read its positions: to fill a wallet beyond this limit costs more than 200 SOL of rent.
 */
export const MAX_TOKEN_ACCOUNTS = 100_000;
const WALLETS_AT_ONCE = 10;
/** Calls of an outside RPC that read the token accounts of a wallet: one for each token program. */
const CALLS_PER_WALLET = 2;
/**
 * The pages that can be requested. If every token account held a position, the last page would contain the last of
 * them.
 */
export const PAGES = { minimum: 1, maximum: MAX_TOKEN_ACCOUNTS / MAX_POSITIONS };

/** A position with its vault as the market lists it. */
export interface ListedPosition {
  readonly view: PositionView;
  readonly vault: ListedVault;
}

/** A position that a wallet holds, before its amounts are computed. */
interface WalletPosition {
  readonly position: VaultPosition;
  readonly vault: ListedVault;
  readonly owner: Address;
}

/**
 * Finds the positions that wallets hold in a market, the newest first.
 * @param page - The number of the page, from 1, of `MAX_POSITIONS` positions each; null for all positions, if they fit one
 *   page.
 * @throws BorrowRefused when there are more positions and no page is given, when the wallets hold more than
 *   `MAX_TOKEN_ACCOUNTS`, or before the first call, when reading so many wallets takes more calls than one request may make
 * @throws ChainUnavailable when the network does not answer, or when an account of a position cannot be decoded or is
 *   missing: a list without it would say that the wallet owes nothing
 */
export async function findPositions(
  services: BorrowServices,
  market: MarketName,
  owners: readonly Address[],
  page: number | null,
  work: Work,
): Promise<readonly ListedPosition[]> {
  const calls = owners.length * CALLS_PER_WALLET;
  const state = services.chain.openView('processed', calls);
  if (state.maxCalls !== null && calls > state.maxCalls)
    throw createTooManyWallets(owners.length, state.maxCalls);
  const held = await findHeldPositions(state, services.accounts.index, owners, work);
  const vaults = new Map(
    (await listVaults(services, market)).map((listed) => [listed.view.vault.id, listed]),
  );
  const found = held.flatMap(({ owner, position }): WalletPosition[] => {
    const vault = vaults.get(position.vaultId);
    return vault === undefined ? [] : [{ position, vault, owner }];
  });
  if (page === null && found.length > MAX_POSITIONS) {
    throw createCrowdedRefusal(found.length, market, MAX_POSITIONS);
  }
  const first = ((page ?? 1) - 1) * MAX_POSITIONS;
  const listed = found.sort(comparePositionAge).slice(first, first + MAX_POSITIONS);
  return mapInTurns(work, listed, ({ position, vault, owner }) => {
    const view = computePositionView(position, vault.view, owner);
    if (view !== null) return { view, vault };
    throw new ChainUnavailable(
      `an account on which position ${position.nftId} of vault ${vault.id} depends is missing or cannot be decoded`,
    );
  });
}

function createTooManyWallets(wallets: number, maxCalls: number): BorrowRefused {
  const most = Math.floor(maxCalls / CALLS_PER_WALLET);
  return new BorrowRefused(
    `${wallets} wallets take ${wallets * CALLS_PER_WALLET} calls to the RPC, and the operator allows ${maxCalls} for one request: name at most ${most} wallets`,
  );
}

/** Reads a few wallets at a time, and stops once the limit is exceeded. */
async function findHeldPositions(
  state: AccountView,
  index: VaultIndex,
  owners: readonly Address[],
  work: Work,
): Promise<readonly { readonly owner: Address; readonly position: VaultPosition }[]> {
  const held: { readonly owner: Address; readonly position: VaultPosition }[] = [];
  let accounts = 0;
  const search = async (owner: Address) => {
    for await (const piece of state.tokenAccounts(owner, work)) {
      accounts += piece.length;
      if (accounts > MAX_TOKEN_ACCOUNTS) {
        throw new BorrowRefused(
          `the wallets hold more than ${MAX_TOKEN_ACCOUNTS} token accounts together, which is too much to search: name fewer wallets`,
        );
      }
      for (const position of findPositionsAmong(index, piece)) held.push({ owner, position });
    }
  };
  for (let at = 0; at < owners.length; at += WALLETS_AT_ONCE) {
    await Promise.all(owners.slice(at, at + WALLETS_AT_ONCE).map(search));
  }
  return held;
}

function comparePositionAge(one: WalletPosition, other: WalletPosition): number {
  return other.position.nftId - one.position.nftId || other.vault.id - one.vault.id;
}
