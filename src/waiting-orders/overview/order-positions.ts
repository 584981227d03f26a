import type { Address } from '../../solana/address.ts';
import type { TradeElement } from '../../protocol/positions/element.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../protocol/positions/token-balance.ts';
import type { EarnProgram } from '../earning/earn-program.ts';
import { toInputAtoms } from '../earning/earn-sale.ts';
import { isRecurring } from '../order-plan.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { listOrdersWithMoney, type OrderListSource } from './order-overview.ts';

/** The platform of the orders, in the list of platforms of the portfolio. */
const PLATFORM = 'jupiter-exchange';

/** The most orders of a wallet that are shown. A wallet cannot have as many open ones. */
const MAX_SHOWN = 1_000;

/**
 * Creates the fetcher of a wallet's orders that wait in its vault.
 *
 * What an order holds is read from its account, and not from the store. So the input of a deposit that is on its way is in
 * the wallet or in the order, and never in both.
 *
 * @param earn - Knows what the shares are worth that orders hold which earn. Without it, their deposits are shown.
 */
export function createOrderPositions(
  source: OrderListSource,
  earn: Pick<EarnProgram, 'find'> = { find: () => null },
): PositionFetcher {
  return {
    id: `${PLATFORM}-trigger`,
    platformId: PLATFORM,
    fetch: async (wallet) => {
      const orders = await listOrdersWithMoney(source, wallet.owner, MAX_SHOWN);
      const accounts = await wallet.accounts(orders.flatMap(listAccounts));
      let next = 0;
      const elements = orders.flatMap((order) => {
        const [held = 0n, bought = 0n] = listAccounts(order).map(() =>
          readTokenBalance(accounts[next++] ?? null),
        );
        return createOrderElement(order, { held, bought }, earn) ?? [];
      });
      return { elements };
    },
  };
}

/** The token accounts of an order: that of its input, and the one that holds what it buys to sell again. */
function listAccounts({ account, plan }: WaitingOrder): readonly Address[] {
  return plan.kind === 'otoco' ? [account, plan.outputAccount] : [account];
}

/** What lies in the accounts of an order, in atoms. */
export interface HeldTokens {
  /** In the account that its input was deposited into: of the input, or of the shares that it is lent out for. */
  readonly held: bigint;
  /** Of the output, in the account from which an order sells again. */
  readonly bought: bigint;
}

/** Creates the position of an order from what lies in its accounts. Returns null if nothing does. */
export function createOrderElement(
  order: WaitingOrder,
  { held, bought }: HeldTokens,
  earn: Pick<EarnProgram, 'find'>,
): TradeElement | null {
  if (held === 0n && bought === 0n) return null;
  const { plan } = order;
  const tokens = { held: toInputAtoms(earn, order, held), bought };
  const shown = {
    type: 'trade',
    createdAt: order.createdAt,
    ref: order.account,
    sourceRefs: [{ name: 'Vault', address: order.vault }],
    link: 'https://jup.ag/trigger/',
    ...(plan.kind === 'otoco' && order.remaining === 0n
      ? toSellingAgain(order, tokens)
      : toSelling(order, tokens)),
  } as const;
  if (!isRecurring(plan)) return { ...shown, label: 'LimitOrder', expireAt: order.expiresAt };
  const { rounds, intervalMs } = plan;
  return { ...shown, label: 'SmartDCA', recurring: { cycles: rounds, interval: intervalMs } };
}

/** A fill pays the wallet at once, so that an order holds no output, unless it is one that sells again what it buys. */
function toSelling(
  { inputMint, outputMint, inputAmount, received }: WaitingOrder,
  { held, bought }: HeldTokens,
) {
  return {
    inputMint,
    outputMint,
    initialInput: inputAmount,
    remainingInput: held,
    heldOutput: bought,
    withdrawnOutput: received,
  };
}

/** Once everything is bought, the order sells that for its input. */
function toSellingAgain(order: WaitingOrder, { held, bought }: HeldTokens) {
  return {
    inputMint: order.outputMint,
    outputMint: order.inputMint,
    initialInput: order.bought,
    remainingInput: bought,
    heldOutput: held,
    withdrawnOutput: order.received,
  };
}
