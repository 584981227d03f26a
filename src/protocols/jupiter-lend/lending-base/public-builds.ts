import type { UnlikeCalls } from '../../../protocol/genesis/stand-in.ts';
import { LIQUIDITY_PROGRAM } from './programs.ts';

// How public builds of the lending programs call each other. Source: the builds 0.1.0 of `liquidity` and 0.1.2 of `lending`,
// run beside the stand-ins.

const TO_LIQUIDITY = {
  callee: LIQUIDITY_PROGRAM,
  difference:
    'Builds such as 0.1.0 of liquidity, and those that call it, have the associated token program as a further account of pre_operate, operate and claim.',
} as const;

export const LENDING_CALLS: UnlikeCalls = {
  ...TO_LIQUIDITY,
  failing: {
    withPublicCallee: 'deposit, mint, withdraw and redeem of earn',
    withPublicCaller: 'deposit and mint of earn',
  },
};

export const VAULTS_CALLS: UnlikeCalls = {
  ...TO_LIQUIDITY,
  failing: {
    withPublicCallee: 'operate, liquidate and rebalance of borrow',
    withPublicCaller: 'operate with a deposit or repayment, liquidate and rebalance of borrow',
  },
};

export const FLASHLOAN_CALLS: UnlikeCalls = {
  ...TO_LIQUIDITY,
  failing: { withPublicCallee: 'flash loans', withPublicCaller: 'flash loans' },
};
