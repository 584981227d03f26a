import type { Address } from '../../solana/address.ts';
import type { GasCharge } from './gas-budget.ts';
import type { GasWallet } from './gas-wallet.ts';

/** Counts what transactions cost the gas wallet. */
export interface OrderGas {
  /**
   * Counts the most that a transaction may cost. Returns null if that is not within the budget of the operator.
   * @throws Unavailable when the store does not answer
   */
  readonly spend: (wallet: Address, lamports: bigint) => Promise<GasCharge | null>;
  /** Subtracts lamports of a charge that were not spent. A failure only leaves them counted. */
  readonly giveBack: (charge: GasCharge, lamports: bigint) => void;
}

/**
 * Creates the counting of gas by the budget of a wallet, which the fills of all orders share.
 *
 * @param onDefect - Called when a charge could not be given back. It stays counted.
 */
export function createOrderGas(
  { budget }: Pick<GasWallet, 'budget'>,
  onDefect: (where: string, error: unknown) => void,
): OrderGas {
  return {
    spend: async (wallet, lamports) => {
      const spending = await budget.spend(wallet, lamports);
      return spending.ok ? spending.charge : null;
    },
    giveBack: (charge, lamports) => {
      budget.giveBack(charge, lamports).catch((error: unknown) => {
        onDefect('what a fill did not cost could not be given back', error);
      });
    },
  };
}
