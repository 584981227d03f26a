import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import {
  PREDICTION_PROGRAM,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import {
  decodePredictionVault,
  type PredictionVaultAccount,
} from '../../protocols/jupiter-prediction/prediction-vault.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';

/** The vault and its tokens, as they are now. Everything is answered from memory. */
export interface PredictionVault {
  /** Returns the vault; null where there is none. */
  readonly account: () => PredictionVaultAccount | null;
  /** Returns what the vault holds, in micro USD. */
  readonly balance: () => bigint;
  /** Whether the program takes orders: a vault exists, and its admin has not halted it. */
  readonly isTradingActive: () => boolean;
  readonly close: () => void;
}

/**
 * Follows the vault and its token account.
 * @throws ChainUnavailable when the network does not answer
 */
export async function openPredictionVault(
  chain: Pick<Chain, 'getAccounts' | 'watchAccounts'>,
): Promise<PredictionVault> {
  const states = new Map<string, { readonly slot: bigint; readonly account: Account | null }>();
  const apply = (updates: readonly AccountUpdate[]) => {
    for (const { address, slot, account } of updates) {
      if (slot >= (states.get(address)?.slot ?? 0n)) states.set(address, { slot, account });
    }
  };
  const addresses = [PREDICTION_VAULT.address, PREDICTION_VAULT_TOKEN_ACCOUNT];
  const close = chain.watchAccounts(addresses, apply);
  try {
    apply(await chain.getAccounts(addresses));
  } catch (error) {
    close();
    throw error;
  }
  const findVault = () => {
    const account = states.get(PREDICTION_VAULT.address)?.account ?? null;
    return account?.owner === PREDICTION_PROGRAM ? decodePredictionVault(account.data) : null;
  };
  return {
    account: findVault,
    balance: () => {
      const tokens = states.get(PREDICTION_VAULT_TOKEN_ACCOUNT)?.account ?? null;
      return tokens !== null && isTokenAccount(tokens.data) ? readTokenAccountAmount(tokens.data) : 0n;
    },
    isTradingActive: () => {
      const vault = findVault();
      return vault !== null && !vault.tradingDisabled && !vault.depositsDisabled;
    },
    close,
  };
}
