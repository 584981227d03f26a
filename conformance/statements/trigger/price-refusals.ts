import type { Statement } from '../../statement.ts';
import { BONK, USDC } from '../mints.ts';
import {
  createOrder,
  refusal,
  refusedOrder,
  shareWallet,
  signInWithVault,
  UNKNOWN_ID,
} from './order-requests.ts';

const NO_TRIGGER = { triggerCondition: undefined, triggerPriceUsd: undefined };
const OCO = { ...NO_TRIGGER, orderType: 'oco', tpPriceUsd: 1_000_000, slPriceUsd: 0.01 };
const OTOCO = { orderType: 'otoco', tpPriceUsd: 1_000_000, slPriceUsd: 0.01 };
const TRAILING = { triggerPriceUsd: undefined, trailingBps: 9_000, triggerCondition: 'below' };
const OF_OCO = { orderSubType: 'oco' };
const EXACTLY_ONE = 'exactly one of triggerPriceUsd or trailingBps must be set';

/** A change of an order that is refused. */
function refusedEdit(
  id: string,
  says: string,
  text: string | RegExp,
  created: object,
  changes: object,
): Statement {
  return {
    id: `trigger/${id}`,
    says,
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const order = await createOrder(signedIn, created);
      const body = { orderType: 'single', ...changes };
      return refusal(await signedIn.patch(`/orders/price/${order.id}`, body), text);
    },
  };
}

/** What is wrong with an order at a price, in the words of the public service. */
export const priceRefusalStatements: readonly Statement[] = [
  refusedOrder('no-price', 'An order has a price or a distance.', EXACTLY_ONE, {
    triggerPriceUsd: undefined,
  }),
  refusedOrder('two-prices', 'An order has no price beside a distance.', EXACTLY_ONE, { trailingBps: 500 }),
  refusedOrder('stable-trigger', 'A stablecoin triggers nothing.', 'Trigger mint is not supported', {
    triggerMint: USDC,
  }),
  refusedOrder('other-trigger', 'The price is that of the input or the output.', /^triggerMint must be /, {
    triggerMint: BONK,
  }),
  refusedOrder(
    'condition',
    'A `single` order is above or below its price.',
    'Invalid option: expected one of "above"|"below"',
    { triggerCondition: undefined },
  ),
  refusedOrder(
    'price-type',
    'A price is a number, and no text.',
    'Invalid input: expected number, received string',
    { triggerPriceUsd: '210' },
  ),
  refusedOrder('past', 'An order ends in the future.', /^expiresAt must be in the future/, {
    expiresAt: Date.now() - 1,
  }),
  refusedOrder(
    'seconds',
    'The end is in milliseconds: the same time in seconds is in the past.',
    /^expiresAt must be in the future, in Unix milliseconds/,
    { expiresAt: Math.floor(Date.now() / 1_000) + 86_400 },
  ),
  refusedOrder(
    'no-end',
    'There is no order without an end: `expiresAt` is required.',
    'Invalid input: expected number, received undefined',
    { expiresAt: undefined },
  ),
  refusedOrder(
    'slippage-range',
    'A slippage is at most 10000 basis points.',
    'Too big: expected number to be <=10000',
    { slippageBps: 10_001 },
  ),
  refusedOrder(
    'trailing-least',
    'A trailing order trails by 50 basis points at least.',
    'Too small: expected number to be >=50',
    { ...TRAILING, trailingBps: 49 },
  ),
  refusedOrder(
    'trailing-most',
    'A trailing order trails by 9000 basis points at most.',
    'Too big: expected number to be <=9000',
    { ...TRAILING, trailingBps: 9_001 },
  ),
  refusedOrder(
    'trailing-below',
    'A trailing order below watches its input.',
    /inputMint/,
    {
      ...TRAILING,
      outputMint: BONK,
      triggerMint: BONK,
    },
    { outputMint: BONK },
  ),
  refusedOrder('trailing-above', 'A trailing order above watches its output.', /outputMint/, {
    ...TRAILING,
    triggerCondition: 'above',
  }),
  refusedOrder(
    'trailing-kind',
    'Only `single` orders trail.',
    /^trailingBps must be omitted/,
    { ...OCO, trailingBps: 500 },
    OF_OCO,
  ),
  refusedOrder(
    'oco-order',
    'The profit of an `oco` order is taken above the price at which its loss is stopped.',
    /^tpPriceUsd must be greater than slPriceUsd/,
    { ...OCO, slPriceUsd: OCO.tpPriceUsd },
    OF_OCO,
  ),
  refusedOrder(
    'oco-both',
    'An `oco` order has both of its prices.',
    'Invalid input: expected number, received undefined',
    { ...OCO, slPriceUsd: undefined },
    OF_OCO,
  ),
  refusedOrder(
    'otoco-order',
    'The profit of an `otoco` order is taken above the price at which its loss is stopped.',
    /^tpPriceUsd must be greater than slPriceUsd/,
    { ...OTOCO, tpPriceUsd: OTOCO.slPriceUsd },
    { orderSubType: 'otoco' },
  ),
  refusedOrder(
    'otoco-trigger',
    'An `otoco` order has a price at which it enters.',
    'Invalid input: expected number, received undefined',
    { ...OTOCO, triggerPriceUsd: undefined },
    { orderSubType: 'otoco' },
  ),
  refusedOrder(
    'deposit-kind',
    'An order is of the sub type that its deposit was crafted for.',
    /^orderType does not match the deposit/,
    OCO,
  ),
  refusedOrder(
    'deposit-unknown',
    'The deposit of an order was crafted before.',
    'Deposit transaction not found in cache. Please craft a new deposit first.',
    { depositRequestId: UNKNOWN_ID },
  ),
  refusedEdit(
    'edit-trailing',
    'A trailing order cannot be given a price.',
    'Cannot set trigger price on trailing stop loss order',
    TRAILING,
    { triggerPriceUsd: 1 },
  ),
  refusedEdit(
    'edit-to-trailing',
    'An order at a price cannot become a trailing one.',
    'Cannot convert to trailing stop loss order',
    {},
    { trailingBps: 500 },
  ),
  refusedEdit(
    'edit-type',
    'PATCH always names the `orderType`.',
    'Invalid option: expected one of "single"|"oco"|"otoco"',
    {},
    { orderType: undefined, triggerPriceUsd: 900_000 },
  ),
  refusedEdit(
    'edit-kind',
    'PATCH does not change the `orderType`.',
    /^orderType must be 'single'/,
    {},
    { orderType: 'oco', tpPriceUsd: 2, slPriceUsd: 1 },
  ),
  refusedEdit(
    'edit-end',
    'PATCH moves the end of an order into no past.',
    /^expiresAt must be in the future/,
    {},
    {
      expiresAt: 1,
    },
  ),
  {
    id: 'trigger/edit-other',
    says: "PATCH of another wallet's order is 403, of an unknown one 404, and of one that is cancelled 400.",
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      const body = { orderType: 'single', triggerPriceUsd: 900_000 };
      const foreign = await (await shareWallet(world)).patch(`/orders/price/${id}`, body);
      const none = await signedIn.patch(`/orders/price/${UNKNOWN_ID}`, body);
      await signedIn.send('POST', `/orders/price/cancel/${id}`);
      const cancelled = await signedIn.patch(`/orders/price/${id}`, body);
      return (
        refusal(foreign, /^Forbidden: /, 403) ??
        refusal(none, 'Order not found', 404) ??
        refusal(cancelled, /^Order cannot be updated in 'ready_to_cancel' state/)
      );
    },
  },
];
