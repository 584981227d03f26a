import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import type { ProtocolGenesis } from '../../protocol/genesis/protocol-genesis.ts';
import { encodeLimitOrderFee } from './layout.ts';
import { LIMIT_ORDER_FEE, LIMIT_ORDER_PROGRAM } from './program.ts';

/** Mainnet's rates: 0.1 % in general, and 0.03 % between stable tokens. */
export const NORMAL_FEE_BPS = 10;
export const STABLE_FEE_BPS = 3;

/** The account with the rates of the fees, without which nobody can place an order. */
export const jupiterLimitOrderGenesis: ProtocolGenesis = { addLastAccounts: addFee };

function addFee(ledger: AccountLedger, { feeOwner }: GenesisKeys): void {
  const rates = { normalFeeBps: NORMAL_FEE_BPS, stableFeeBps: STABLE_FEE_BPS };
  const data = encodeLimitOrderFee({ ...rates, admin: feeOwner.address });
  ledger.addData(LIMIT_ORDER_FEE, LIMIT_ORDER_PROGRAM, data);
}
