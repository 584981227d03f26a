import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { deriveTemporaryAccount } from '../../swaps/build/token-flow.ts';
import type { OrderSale } from '../order-sale.ts';

/** What a fill did that is in a block. */
export type LandedFill =
  | {
      readonly kind: 'filled';
      /** Atoms that left the order's account. More than remained of the order if strangers had paid into the account. */
      readonly input: bigint;
      /** Atoms that arrived in the wallet, or in the vault's own account for the output, without rent. */
      readonly output: bigint;
      /** Whether the order's account is closed, so that nothing is left to be filled. */
      readonly isWhole: boolean;
      /** Lamports that the fill cost the gas wallet; negative if it gained. */
      readonly lamports: bigint;
    }
  | { readonly kind: 'failed'; readonly error: unknown; readonly lamports: bigint };

/** Reads what a fill moved from the balances around the transaction, to the atom. */
export function readLandedFill(order: OrderSale, landed: LandedTransaction): LandedFill {
  const { account } = order;
  const [payer] = landed.accounts;
  const lamports = payer === undefined ? 0n : -computeLamportChange(landed, payer);
  if (landed.error !== null) return { kind: 'failed', error: landed.error, lamports };
  const before = findTokens(landed.preTokenBalances, account);
  const after = findTokens(landed.postTokenBalances, account);
  return {
    kind: 'filled',
    input: (before ?? 0n) - (after ?? 0n),
    output: computeReceived(order, landed, after === null),
    isWhole: after === null,
    lamports,
  };
}

function computeReceived(order: OrderSale, landed: LandedTransaction, isClosed: boolean): bigint {
  const { outputMint, outputAccount } = order;
  if (outputAccount !== null) return computeTokenChange(landed, outputAccount);
  if (outputMint === WRAPPED_SOL_MINT) return computeLamportsReceived(order, landed, isClosed);
  return computeTokensReceived(order, landed);
}

/**
 * SOL comes through an account of its own, with whatever others have sent to its address before. If the order's account is
 * closed, the wallet gets its rent in the same transaction.
 */
function computeLamportsReceived(
  { vault, wallet, account }: OrderSale,
  landed: LandedTransaction,
  isClosed: boolean,
): bigint {
  const lamportsBefore = (of: Address) => landed.preBalances[landed.accounts.indexOf(of)] ?? 0n;
  const rent = isClosed ? lamportsBefore(account) : 0n;
  return computeLamportChange(landed, wallet) - rent - lamportsBefore(deriveTemporaryAccount(vault).account);
}

/** The account that is paid is the wallet's by its address, whoever owns it when the fill lands. */
function computeTokensReceived({ wallet, outputMint }: OrderSale, landed: LandedTransaction): bigint {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].reduce(
    (sum, program) =>
      sum + computeTokenChange(landed, deriveAssociatedTokenAddress(wallet, outputMint, program)),
    0n,
  );
}

function computeTokenChange(
  { preTokenBalances, postTokenBalances }: LandedTransaction,
  account: Address,
): bigint {
  return (findTokens(postTokenBalances, account) ?? 0n) - (findTokens(preTokenBalances, account) ?? 0n);
}

function computeLamportChange(
  { accounts, preBalances, postBalances }: LandedTransaction,
  address: Address,
): bigint {
  const index = accounts.indexOf(address);
  return (postBalances[index] ?? 0n) - (preBalances[index] ?? 0n);
}

function findTokens(balances: LandedTransaction['preTokenBalances'], account: Address): bigint | null {
  return balances.find((balance) => balance.account === account)?.amount ?? null;
}
