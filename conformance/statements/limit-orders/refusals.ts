import { firstOf } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { UNKNOWN_MINT, USDC } from '../mints.ts';
import { createOrder, post, refusal } from './limit-requests.ts';

const INVALID = 'invalid create order request';

export const limitRefusalStatements: readonly Statement[] = [
  {
    id: 'limit-orders/minimum',
    says: 'What an order sells is worth 5 US dollars: `cause` says what it is worth.',
    check: async (world) =>
      refusal(
        await createOrder(world, { makingAmount: '2000000' }),
        INVALID,
        /^input mint making amount must be at least 5 USD, received: (2|1\.99)$/,
      ),
  },
  {
    id: 'limit-orders/maker',
    says: 'A maker that is no address is an `invalid maker pubkey`.',
    check: async (world) => refusal(await createOrder(world, {}, { maker: 'me' }), 'invalid maker pubkey'),
  },
  {
    id: 'limit-orders/fee-account',
    says: '`feeBps` needs `feeAccount`.',
    check: async (world) => refusal(await createOrder(world, { feeBps: '20' }), INVALID, /feeAccount/),
  },
  {
    id: 'limit-orders/expired',
    says: '`expiredAt` is a Unix second in the future, as text.',
    check: async (world) =>
      firstOf(
        refusal(await createOrder(world, { expiredAt: '1700000000' }), INVALID, /expiredAt/),
        refusal(await createOrder(world, { expiredAt: `${Date.now() + 86_400_000}` }), INVALID, /expiredAt/),
      ),
  },
  {
    id: 'limit-orders/mints',
    says: 'Both mints are tokens, and differ.',
    check: async (world) =>
      firstOf(
        refusal(await createOrder(world, {}, { outputMint: USDC }), INVALID, /must differ/),
        refusal(await createOrder(world, {}, { outputMint: UNKNOWN_MINT }), INVALID, /is not a token/),
      ),
  },
  {
    id: 'limit-orders/none',
    says: 'To cancel what is no open order of the maker is a 400 `no matching orders found`.',
    check: async (world) => {
      const { address } = world.wallet;
      return firstOf(
        refusal(
          await post(world, 'cancelOrder', { maker: address, order: address }),
          'no matching orders found',
        ),
        refusal(
          await post(world, 'cancelOrders', { maker: address, orders: [address] }),
          'no matching orders found',
        ),
      );
    },
  },
  {
    id: 'limit-orders/execute-unknown',
    says: '`execute` lands only what was handed out with the request id.',
    check: async (world) => {
      const { json } = await createOrder(world);
      const answer = await post(world, 'execute', {
        requestId: json.requestId.slice(0, -4),
        signedTransaction: json.transaction,
      });
      return refusal(answer, 'invalid execute order request', /requestId/);
    },
  },
];
