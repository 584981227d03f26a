import type { AccountUpdate } from '../../../chain/accounts.ts';
import { decodeFromChain } from '../../../chain/chain.ts';
import { worth } from '../../../lending/amounts.ts';
import type { Address } from '../../../solana/address.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { tokenAccountAmount } from '../../../solana/programs/token/account.ts';
import type { EarnServices } from './earn.ts';
import { type ListedEarnToken, listEarnTokens } from './tokens.ts';

/** A wallet's holding of an earn token, in atoms. */
export interface EarnPosition {
  readonly listed: ListedEarnToken;
  readonly owner: Address;
  readonly shares: bigint;
  /** What the shares are worth, rounded down. */
  readonly underlyingAssets: bigint;
  /** The balance of the token itself in the wallet's associated account. */
  readonly underlyingBalance: bigint;
}

/**
 * Finds what wallets hold of every earn token, including zeros, in one read as of one slot.
 * @throws ChainUnavailable when the network does not answer
 */
export async function findEarnPositions(
  services: EarnServices,
  owners: readonly Address[],
): Promise<EarnPosition[]> {
  const tokens = listEarnTokens(services);
  const accounts = owners.flatMap((owner) => tokens.map((listed) => accountsOf(listed, owner)));
  const found = await services.chain.openView('processed').getAccounts(accounts.flat());
  return owners.flatMap((owner, row) =>
    tokens.map((listed, column): EarnPosition => {
      const at = 2 * (row * tokens.length + column);
      const shares = balanceOf(found[at]);
      return {
        listed,
        owner,
        shares,
        underlyingAssets: worth(shares, listed.token.tokenPrice),
        underlyingBalance: balanceOf(found[at + 1]),
      };
    }),
  );
}

/** The accounts of the receipt token and of the token itself. */
function accountsOf({ token }: ListedEarnToken, owner: Address): readonly [Address, Address] {
  const { lending, tokenProgram } = token.market;
  return [
    associatedTokenAddress(owner, lending.fTokenMint, tokenProgram),
    associatedTokenAddress(owner, lending.mint, tokenProgram),
  ];
}

/**
 * @returns what the token account holds; 0 if there is none
 * @throws ChainUnavailable when a token program owns the account, and it cannot be decoded
 */
export function balanceOf(update: AccountUpdate | undefined): bigint {
  const account = update?.account ?? null;
  if (update === undefined || account === null || !isTokenProgram(account.owner)) return 0n;
  return decodeFromChain(update.address, () => tokenAccountAmount(account.data));
}
