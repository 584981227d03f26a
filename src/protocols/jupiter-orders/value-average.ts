import { minimum } from '../../solana/units.ts';
import type { Address } from '../../solana/address.ts';
import type { TradeElement } from '../../protocol/positions/element.ts';
import { type PositionFetcher, readEach } from '../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../protocol/positions/token-balance.ts';
import {
  decodeValueAverageOrder,
  VALUE_AVERAGE_OWNER_AT,
  VALUE_AVERAGE_PROGRAM,
  type ValueAverageOrder,
} from './value-average-layout.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;
/** The source of the program is not public, so the search is not by the size of an order. */
const OWNER = { offset: VALUE_AVERAGE_OWNER_AT };

/**
 * Finds the wallet's value-averaging orders, which increase the value of their output by the same amount in every
 * interval.
 */
export const jupiterValueAverageOrders: PositionFetcher = {
  id: `${PLATFORM}-value-average`,
  platformId: PLATFORM,
  rareSearch: { program: VALUE_AVERAGE_PROGRAM, field: OWNER },
  fetch: async (wallet) => {
    const found = await wallet.findAccounts(VALUE_AVERAGE_PROGRAM, OWNER, [wallet.owner]);
    const orders = readEach(found, ({ address, account }) => ({
      address,
      ...decodeValueAverageOrder(account.data),
    }));
    const vaults = await wallet.accounts(
      orders.positions.flatMap(({ inputVault, outputVault }) => [inputVault, outputVault]),
    );
    const held = (index: number) => readTokenBalance(vaults[index] ?? null);
    const elements = orders.positions.map((order, index) =>
      createValueAverageElement(order, { input: held(2 * index), output: held(2 * index + 1) }),
    );
    return { elements, unreadable: orders.unreadable };
  },
};

/** Returns the element of an order, or null when its vaults are empty or closed. Neither side exceeds its vault. */
function createValueAverageElement(
  order: ValueAverageOrder & { readonly address: Address },
  held: { readonly input: bigint; readonly output: bigint },
): TradeElement {
  const { inDeposited, inWithdrawn, inLeft, outReceived, outWithdrawn } = order;
  return {
    type: 'trade',
    label: 'SmartDCA',
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    initialInput: inDeposited > inWithdrawn ? inDeposited - inWithdrawn : 0n,
    remainingInput: minimum(inLeft, held.input),
    heldOutput: minimum(outReceived > outWithdrawn ? outReceived - outWithdrawn : 0n, held.output),
    withdrawnOutput: outWithdrawn,
    createdAt: Number(order.createdAt) * 1_000,
    contract: VALUE_AVERAGE_PROGRAM,
    ref: order.address,
    link: 'https://jup.ag/recurring/',
  };
}
