import { type Address, toAddressBytes } from '../../solana/address.ts';
import { divideUp } from '../../solana/units.ts';
import type { TradeElement } from '../../protocol/positions/element.ts';
import { type PositionFetcher, readEach } from '../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../protocol/positions/token-balance.ts';
import { DCA_USER_AT, type DcaOrder, decodeDcaOrder } from '../jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../jupiter-dca/dca-program.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;

/** Finds the wallet's orders that trade in equal parts over time. Those whose input account is empty have ended. */
export const jupiterDcaOrders: PositionFetcher = {
  id: `${PLATFORM}-dca`,
  platformId: PLATFORM,
  fetch: async (wallet) => {
    const memcmp = { offset: DCA_USER_AT, bytes: toAddressBytes(wallet.owner) };
    // The source of the program is not public, so the search is not by the size of an order.
    const found = await wallet.programAccounts(DCA_PROGRAM, { memcmp });
    const orders = readEach(found, ({ address, account }) => ({ address, ...decodeDcaOrder(account.data) }));
    const inputs = await wallet.accounts(orders.positions.map(({ inAccount }) => inAccount));
    const elements = orders.positions.flatMap((order, index) =>
      readTokenBalance(inputs[index] ?? null) === 0n ? [] : [createDcaElement(order)],
    );
    return { elements, unreadable: orders.unreadable };
  },
};

function createDcaElement(order: DcaOrder & { readonly address: Address }): TradeElement {
  const { inDeposited, inUsed, inWithdrawn, inAmountPerCycle, minOutAmount, maxOutAmount } = order;
  const remaining = inDeposited - inUsed - inWithdrawn;
  const rate = (output: bigint) => ({ input: inAmountPerCycle, output });
  return {
    type: 'trade',
    label: 'DCA',
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    initialInput: inDeposited - inWithdrawn,
    remainingInput: remaining > 0n ? remaining : 0n,
    heldOutput: order.outReceived > order.outWithdrawn ? order.outReceived - order.outWithdrawn : 0n,
    withdrawnOutput: order.outWithdrawn,
    createdAt: Number(order.createdAt) * 1_000,
    recurring: {
      cycles: inAmountPerCycle === 0n ? 0 : Number(divideUp(inDeposited, inAmountPerCycle)),
      interval: Number(order.cycleFrequency) * 1_000,
      // The maximum output of a cycle corresponds to the lowest price of the output, and the minimum to the highest.
      rates: {
        ...(maxOutAmount === 0n ? {} : { lowest: rate(maxOutAmount) }),
        ...(minOutAmount === 0n ? {} : { highest: rate(minOutAmount) }),
      },
    },
    contract: DCA_PROGRAM,
    ref: order.address,
    link: 'https://jup.ag/recurring/',
  };
}
