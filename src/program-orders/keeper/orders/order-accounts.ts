import type { AccountUpdate } from '../../../chain/accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { DCA_ORDER_SIZE } from '../../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../../../protocols/jupiter-dca/dca-program.ts';
import { LIMIT_ORDER_SIZE } from '../../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../../../protocols/jupiter-limit-order/program.ts';

/** The accounts of the two programs that may be orders. Others are not sent by the network. */
const ORDER_ACCOUNTS = [
  { program: LIMIT_ORDER_PROGRAM, dataSize: LIMIT_ORDER_SIZE },
  { program: DCA_PROGRAM, dataSize: DCA_ORDER_SIZE },
] as const;

/**
 * Reads the orders of both programs, and follows them from then on.
 *
 * @param apply - Called with the orders as they are now, and with every change. Updates may come out of order.
 * @returns What ends it.
 * @throws ChainUnavailable when the network does not answer. Nothing is followed then.
 */
export async function followOrderAccounts(
  chain: Pick<Chain, 'watchProgram' | 'getProgramAccounts'>,
  apply: (updates: readonly AccountUpdate[]) => void,
): Promise<() => void> {
  const stops: (() => void)[] = [];
  const stop = () => {
    for (const each of stops) each();
  };
  try {
    for (const { program, dataSize } of ORDER_ACCOUNTS) {
      stops.push(chain.watchProgram(program, apply, { dataSize }));
      apply(await chain.getProgramAccounts(program, 'processed', { dataSize }));
    }
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
