import type { AccountUpdate } from '../../chain/accounts.ts';
import { decodeFromChain } from '../../chain/chain.ts';
import { BYTES_PER_UNIT, mapInTurns, type Work } from '../../common/work/work.ts';
import { toAtoms } from '../../protocols/jupiter-lend/lending-base/amounts.ts';
import type { Address } from '../../solana/address.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import type { EarnSources } from './earn-sources.ts';
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
 * Finds what wallets hold of every earn token, including zeros. Both balances of a position are as of one moment.
 * @throws RequestRefused before the first call, when it takes more accounts than one request may read
 * @throws ChainUnavailable when the network does not answer
 */
export async function findEarnPositions(
  sources: EarnSources,
  owners: readonly Address[],
  work: Work,
): Promise<EarnPosition[]> {
  const tokens = listEarnTokens(sources);
  const held = tokens.flatMap(({ token }) => {
    const { lending, tokenProgram } = token.market;
    return [lending.fTokenMint, lending.mint].map((mint) => ({ mint, program: tokenProgram }));
  });
  const view = sources.chain.openView('processed');
  const accounts = owners.length * held.length;
  if (view.maxAccounts !== null && accounts > view.maxAccounts) {
    const most = Math.floor(view.maxAccounts / held.length);
    throw new RequestRefused(
      `${owners.length} wallets take ${accounts} accounts, and one request may read ${view.maxAccounts} over the operator's RPC: name at most ${most} wallets`,
    );
  }
  const found = await view.getAssociatedAccounts(owners, held, work);
  const positionOf = ({ owner, row, listed, column }: OwnerTokenPair): EarnPosition => {
    const [receipts, underlying] = [found[row]?.[2 * column], found[row]?.[2 * column + 1]];
    const shares = decodeBalance(receipts);
    return {
      listed,
      owner,
      shares,
      underlyingAssets: toAtoms(shares, listed.token.tokenPrice),
      underlyingBalance: decodeBalance(underlying),
    };
  };
  return mapInTurns(work, listPairs(owners, tokens), positionOf, () => BYTES_OF_POSITION);
}

/** A position is two accounts. */
const BYTES_OF_POSITION = 2 * BYTES_PER_UNIT;

/** A wallet and an earn token, with their places in what was asked for. */
interface OwnerTokenPair {
  readonly owner: Address;
  readonly row: number;
  readonly listed: ListedEarnToken;
  readonly column: number;
}

/** Each wallet with each token. They are thousands, so each pair is made in the turn that looks at it. */
function* listPairs(
  owners: readonly Address[],
  tokens: readonly ListedEarnToken[],
): Generator<OwnerTokenPair> {
  for (const [row, owner] of owners.entries()) {
    for (const [column, listed] of tokens.entries()) yield { owner, row, listed, column };
  }
}

/**
 * Returns what the token account holds; 0 if there is none.
 * @throws ChainUnavailable when a token program owns the account, and it cannot be decoded
 */
export function decodeBalance(update: AccountUpdate | null | undefined): bigint {
  const account = update?.account ?? null;
  if (update == null || account === null || !isTokenProgram(account.owner)) return 0n;
  return decodeFromChain(update.address, () => readTokenAccountAmount(account.data));
}
