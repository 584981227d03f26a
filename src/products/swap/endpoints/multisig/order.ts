import { defineEndpoint } from '../../../endpoint.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../../example-values.ts';
import { resolveVault } from '../../order/multisig.ts';
import { orderSwap } from '../../order/order.ts';
import type { SwapServices } from '../../order/swap-services.ts';
import { answerRefusedOrder, OrderRefusal, OrderResponse, toOrderResponse } from '../order.ts';
import { answerOrRefuse } from '../refusal.ts';
import { MULTISIG_ORDER_PARAMETERS, parseMultisigOrderRequest } from './order-parameters.ts';

export const orderMultisig = defineEndpoint({
  method: 'GET',
  path: '/swap/v2/squads/v5/order',
  operationId: 'GetSquadsOrder',
  example: {
    query: {
      inputMint: EXAMPLE_MINTS.sol,
      outputMint: EXAMPLE_MINTS.usdc,
      amount: '100000000',
      taker: 'EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y',
      settingsPda: '41gqrPgijYycTaCCzKyLfvqikMEH9fzGCwZYAKQHvMbd',
      signers: EXAMPLE_WALLET,
    },
  },
  summary: 'Swap of a multisig as a transaction to sign',
  description:
    'The best on-chain route for the vault of a Squads V5 multisig, as a transaction in which its program signs for the vault. Every wallet of `signers` signs it.',
  query: MULTISIG_ORDER_PARAMETERS.schema,
  responses: { 200: OrderResponse, 400: OrderRefusal },
  handle: ({ swap }: SwapServices, { query, caller, noteOrder }) => {
    const requestId = swap.newRequestId();
    return answerOrRefuse(
      async () => {
        const { order: asked, settings, signers } = parseMultisigOrderRequest(query);
        const vault = await resolveVault(swap.chain, { settings, vault: asked.taker, signers });
        const order = await orderSwap(swap, { ...asked, vault }, { requestId, caller });
        noteOrder?.({ requestId, router: order.engine.router, code: null, signature: '' });
        return toOrderResponse(swap.prices, order);
      },
      (refused) => answerRefusedOrder(requestId, refused),
    );
  },
});
