import type { Config } from '../../config/config.ts';
import { type DoctorFinding, ok, warning } from './check.ts';

type OrderConfig = Pick<Config, 'outside' | 'production' | 'keeper'> & {
  readonly trigger: Pick<Config['trigger'], 'followsOrderPrograms'>;
  readonly gas: Pick<Config['gas'], 'keypair'>;
};

/** Says whether an instance with these settings follows the orders that live in programs, and fills them. */
export function checkProgramOrders({
  outside,
  production,
  keeper,
  trigger,
  gas,
}: OrderConfig): DoctorFinding {
  if (outside !== null && !trigger.followsOrderPrograms) {
    return ok(
      'not followed: open ones are listed without their fills, and none is filled; follow-order-programs follows them',
    );
  }
  if (!keeper) return ok('followed, and filled by other processes, because keeper is false');
  const isPaid = gas.keypair === 'own' ? outside === null && !production : gas.keypair !== null;
  if (!isPaid) {
    return warning('followed, and not filled, because no wallet pays for fills; give one with gas-keypair');
  }
  return ok(
    outside === null
      ? 'followed and filled'
      : 'followed, and limit orders are filled; the DCA program takes fills of its own keepers only',
  );
}
