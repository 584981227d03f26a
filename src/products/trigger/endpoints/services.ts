import type { KeyCustody } from '../../../custody/custody.ts';
import type { OrderDeposits } from '../../../waiting-orders/deposits/order-deposits.ts';
import type { EarnYields } from '../../../waiting-orders/earning/earn-yield.ts';
import type { OrderEdits } from '../../../waiting-orders/edits/order-edits.ts';
import type { OrderWithdrawals } from '../../../waiting-orders/withdrawals/order-withdrawals.ts';
import type { OrderHistory } from '../../../waiting-orders/store/order-history.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { LimitOrderServices } from './v1/services.ts';

/** What the handlers of the product's endpoints are given. */
export interface TriggerServices extends LimitOrderServices {
  readonly signIn: SignIn;
  readonly vaults: Pick<KeyCustody, 'findVault' | 'createVault'>;
  readonly deposits: Pick<OrderDeposits, 'craft' | 'create'>;
  readonly edits: Pick<OrderEdits, 'edit'>;
  readonly withdrawals: Pick<OrderWithdrawals, 'cancel' | 'confirm'>;
  readonly yields: Pick<EarnYields, 'of'>;
  readonly history: Pick<OrderHistory, 'list' | 'find'>;
}
