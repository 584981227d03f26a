import { firstOf } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { SOL, UNKNOWN_MINT, USDC } from '../mints.ts';
import { cancelOrder, createOrder, openOrder, post, refusal } from './recurring-requests.ts';

/** A token of Token-2022. */
const BERN = 'CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo';
const CLOSED = /^price-based orders are closed/;

export const recurringRefusalStatements: readonly Statement[] = [
  {
    id: 'recurring/minimum',
    says: 'An order is worth 100 US dollars: `{code, error, status}` says what it is worth.',
    check: async (world) =>
      refusal(
        await createOrder(world, { inAmount: 2_990_000 }),
        'Order is valued at 2.99 USDC, minimum is 100.00 USDC',
      ),
  },
  {
    id: 'recurring/minimum-order',
    says: 'Each of the orders is worth 50 US dollars.',
    check: async (world) =>
      refusal(
        await createOrder(world, { inAmount: 120_000_000, numberOfOrders: 3 }),
        'Each order valued at 40.00 USDC, minimum is 50.00 USDC',
      ),
  },
  {
    id: 'recurring/two-orders',
    says: 'There are two orders at least.',
    check: async (world) =>
      refusal(await createOrder(world, { numberOfOrders: 1 }), /^numberOfOrders must be /),
  },
  {
    id: 'recurring/interval',
    says: 'Two orders are 30 seconds apart at least.',
    check: async (world) => refusal(await createOrder(world, { interval: 29 }), /^interval must be /),
  },
  {
    id: 'recurring/integers',
    says: 'Amounts are integers, and no texts.',
    check: async (world) => refusal(await createOrder(world, { inAmount: '104000000' }), /inAmount/),
  },
  {
    id: 'recurring/token-2022',
    says: 'Tokens of Token-2022 are refused on both sides.',
    check: async (world) =>
      firstOf(
        refusal(await createOrder(world, {}, { inputMint: BERN }), /do not support/),
        refusal(await createOrder(world, {}, { outputMint: BERN }), /do not support/),
      ),
  },
  {
    id: 'recurring/same-mints',
    says: 'Input and output are different mints.',
    check: async (world) => refusal(await createOrder(world, {}, { outputMint: USDC }), /must differ/),
  },
  {
    id: 'recurring/price-closed',
    says: 'Price-based orders are closed: they are not created, cancelled, paid into or withdrawn from.',
    check: async (world) => {
      const { address: user } = world.wallet;
      const price = {
        depositAmount: 110_000_000,
        incrementUsdcValue: 10_000_000,
        interval: 86_400,
        startAt: null,
      };
      return firstOf(
        refusal(await createOrder(world, {}, { params: { price } }), CLOSED),
        refusal(await cancelOrder(world, UNKNOWN_MINT, { recurringType: 'price' }), CLOSED),
        refusal(await post(world, 'priceDeposit', { order: UNKNOWN_MINT, user, amount: 1_000_000 }), CLOSED),
        refusal(
          await post(world, 'priceWithdraw', { order: UNKNOWN_MINT, user, inputOrOutput: 'In' }),
          CLOSED,
        ),
      );
    },
  },
  {
    id: 'recurring/cancel-foreign',
    says: 'Only the user of an order can cancel it, and only an order that is open.',
    check: async (world) => {
      const order = await openOrder(world);
      const stranger = await world.newWallet();
      return firstOf(
        refusal(await cancelOrder(world, order, { user: stranger.address }), /is not an order of user/),
        refusal(await cancelOrder(world, SOL), /is not an open recurring order/),
      );
    },
  },
];
