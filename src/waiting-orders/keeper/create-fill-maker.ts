import type { KeyCustody } from '../../custody/custody.ts';
import type { FillPlanner } from '../fills/fill-planner.ts';
import type { GasWallet } from '../fills/gas-wallet.ts';
import { createOrderGas } from '../fills/order-gas.ts';
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
  return {
    plan: (sale, prices) => planner.plan(sale, prices),
    ...createOrderGas(gasWallet, onDefect),
    sign: (sale, plan) => signFill({ custody, gasWallet: gasWallet.keypair }, sale, plan),
  };
}

/** Has every order wait for gas, because nobody pays for fills. */
export const UNPAID_FILLS: FillMaker = {
  plan: async () => ({ kind: 'waits', reason: 'gas', detail: 'no wallet pays for fills' }),
  spend: async () => null,
  giveBack: () => undefined,
  sign: () => Promise.reject(new Error('a fill that nobody pays for was not planned')),
};
