import type { KeyCustody } from '../../custody/custody.ts';
import type { FillPlanner } from '../fills/fill-planner.ts';
import type { GasWallet } from '../fills/gas-wallet.ts';
import { signFill } from '../fills/sign-fill.ts';
import type { FillMaker } from './begin-fill.ts';

/** A planner of fills, and the wallet that pays for them. */
export interface PaidFills {
  readonly planner: FillPlanner;
  readonly gasWallet: GasWallet;
  readonly custody: Pick<KeyCustody, 'sign'>;
  /** Called when a charge could not be given back. It stays counted. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Creates what plans, pays for and signs the fills of one keeper. */
export function createFillMaker({ planner, gasWallet, custody, onDefect }: PaidFills): FillMaker {
  const { keypair, budget } = gasWallet;
  return {
    plan: (sale, prices) => planner.plan(sale, prices),
    spend: async (wallet, lamports) => {
      const spending = await budget.spend(wallet, lamports);
      return spending.ok ? spending.charge : null;
    },
    giveBack: (charge, lamports) => {
      budget.giveBack(charge, lamports).catch((error: unknown) => {
        onDefect('what a fill did not cost could not be given back', error);
      });
    },
    sign: (sale, plan) => signFill({ custody, gasWallet: keypair }, sale, plan),
  };
}

/** Has every order wait for gas, because nobody pays for fills. */
export const UNPAID_FILLS: FillMaker = {
  plan: async () => ({ kind: 'waits', reason: 'gas', detail: 'no wallet pays for fills' }),
  spend: async () => null,
  giveBack: () => undefined,
  sign: () => Promise.reject(new Error('a fill that nobody pays for was not planned')),
};
