import * as kit from '@solana/kit';
import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { USDC } from '../mints.ts';
import {
  BUYING,
  craft,
  createOrder,
  type Json,
  refusal,
  signInWithVault,
  waitForOrder,
} from './order-requests.ts';
import type { SignedIn } from './sign-in.ts';

const AGGREGATOR = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
/** The two instructions by which the managed path swaps, and where each has its slippage. */
const SLIPPAGE_AT: Readonly<Record<string, number>> = { bb64facc31c4af14: 24, d19853937cfed8e9: 25 };
/** What a stop-loss and a buy above the price allow if they name no slippage. */
const PROTECTIVE_BPS = 2_000;
const HIGH = 100_000;
/** Prices on the wrong side of the market, so that these orders are filled at once. */
const REACHED = {
  take_profit: { order: { triggerCondition: 'above', triggerPriceUsd: 1 }, deposit: {} },
  stop_loss: { order: { triggerCondition: 'below', triggerPriceUsd: HIGH }, deposit: {} },
  buy_above: { order: { triggerCondition: 'above', triggerPriceUsd: 1 }, deposit: BUYING },
  buy_below: { order: { triggerCondition: 'below', triggerPriceUsd: HIGH }, deposit: BUYING },
} as const;
type Context = keyof typeof REACHED;
const CONTEXTS = Object.keys(REACHED) as readonly Context[];

interface Filled {
  readonly signedIn: SignedIn;
  readonly orders: Readonly<Record<string, Json>>;
}

const fills = new WeakMap<World, Promise<Filled>>();

/** Returns a wallet with one filled order of each context, which the statements only read. */
function openFills(world: World): Promise<Filled> {
  const known = fills.get(world);
  if (known !== undefined) return known;
  const opened = fillAll(world);
  fills.set(world, opened);
  return opened;
}

async function fillAll(world: World): Promise<Filled> {
  const signedIn = await signInWithVault(world, 100_000_000n);
  const ids: string[] = [];
  for (const context of CONTEXTS) {
    const { order, deposit } = REACHED[context];
    ids.push((await createOrder(signedIn, order, 'single', deposit)).id);
  }
  const filled = await Promise.all(ids.map((id) => waitForFill(signedIn, id)));
  return { signedIn, orders: Object.fromEntries(CONTEXTS.map((context, index) => [context, filled[index]])) };
}

function waitForFill(signedIn: SignedIn, id: string): Promise<Json> {
  return waitForOrder(signedIn, `/orders/history/${id}`, (order) => order?.orderState === 'filled');
}

function findFill(order: Json): Json {
  return order?.events?.find(({ type, state }: Json) => type === 'fill' && state === 'success');
}

export const fillStatements: readonly Statement[] = [
  {
    id: 'trigger/fill',
    says: 'A price on the wrong side of the market is not refused: the order is filled at once, and `fillPercent` is 1.',
    check: async (world) => {
      const { orders } = await openFills(world);
      for (const order of Object.values(orders)) {
        const { initialInputAmount, inputUsed, outputAmount, triggeredAt, updatedAt } = order ?? {};
        const wrong = firstOf(
          unless(order?.orderState === 'filled' && order.rawState === 'fill_success', order),
          unless(order?.fillPercent === 1 && order.remainingInputAmount === '0', order),
          unless(inputUsed === initialInputAmount && BigInt(outputAmount) > 0n, order),
          unless(triggeredAt > order?.createdAt - 1_000 && triggeredAt <= updatedAt, order),
        );
        if (wrong !== null) return wrong;
      }
      return null;
    },
  },
  {
    id: 'trigger/fill-event',
    says: 'The event of a fill has what it sold and paid, and `orderContext`: `take_profit`, `stop_loss`, `buy_above` or `buy_below`.',
    check: async (world) => {
      const { orders } = await openFills(world);
      for (const context of CONTEXTS) {
        const order = orders[context];
        const fill = findFill(order);
        const wrong = firstOf(
          unless(fill?.orderContext === context, order),
          unless(fill?.mint === order.inputMint && fill.outputMint === order.outputMint, fill),
          unless(fill?.amount === order.inputUsed && fill.outputAmount === order.outputAmount, fill),
          unless(typeof fill?.txSignature === 'string' && typeof fill.timestamp === 'number', fill),
          unless(order.events[0].type === 'deposit', order.events),
        );
        if (wrong !== null) return wrong;
      }
      return null;
    },
  },
  {
    id: 'trigger/fill-output',
    says: 'The output of a fill goes straight to the wallet, native SOL if it is SOL, and somebody else pays the network fee.',
    check: async (world) => {
      const { signedIn, orders } = await openFills(world);
      for (const context of ['take_profit', 'buy_below'] as const) {
        const { meta, keys } = await readFill(world, orders[context]);
        const wallet = signedIn.wallet.address;
        const index = keys.indexOf(wallet);
        const lamports = BigInt(meta.postBalances[index] ?? 0) - BigInt(meta.preBalances[index] ?? 0);
        const tokens = heldBy(meta.postTokenBalances, wallet) - heldBy(meta.preTokenBalances, wallet);
        const paid = BigInt(orders[context].outputAmount);
        // The rent of the order's account comes back to the wallet, too.
        const isPaid =
          context === 'take_profit' ? tokens === paid : lamports >= paid && lamports < paid + 10_000_000n;
        const wrong = unless(isPaid && keys[0] !== wallet, {
          context,
          lamports,
          tokens,
          paid,
          payer: keys[0],
        });
        if (wrong !== null) return wrong;
      }
      return null;
    },
  },
  {
    id: 'trigger/default-slippage',
    says: 'Without a slippage, a stop-loss and a buy above the price may be filled at 2000 basis points, and the other two at what is estimated.',
    check: async (world) => {
      const { orders } = await openFills(world);
      const found: Record<string, number | null> = {};
      for (const context of CONTEXTS) found[context] = (await readFill(world, orders[context])).slippageBps;
      const { take_profit, stop_loss, buy_above, buy_below } = found;
      // The floor under the reference price may be nearer than the slippage leads, by what the pools take.
      const isWide = (bps: number | null | undefined) => bps != null && bps > 1_800 && bps <= PROTECTIVE_BPS;
      const isEstimated = (bps: number | null | undefined) => bps != null && bps < 600;
      return unless(
        isWide(stop_loss) && isWide(buy_above) && isEstimated(take_profit) && isEstimated(buy_below),
        found,
      );
    },
  },
  {
    id: 'trigger/filled-over',
    says: 'A filled order can neither be changed nor cancelled: 400.',
    check: async (world) => {
      const { signedIn, orders } = await openFills(world);
      const { id } = orders.take_profit;
      const edited = await signedIn.patch(`/orders/price/${id}`, { orderType: 'single', triggerPriceUsd: 5 });
      return firstOf(
        refusal(edited, /^Order cannot be updated in 'fill_success' state/),
        refusal(await signedIn.send('POST', `/orders/price/cancel/${id}`), /not cancellable/),
      );
    },
  },
  {
    id: 'trigger/filled-past',
    says: 'Filled orders are among the `past` ones, and not among the `active` ones.',
    check: async (world) => {
      const { signedIn } = await openFills(world);
      const past = (await signedIn.ask('/orders/history?state=past')).json;
      const active = (await signedIn.ask('/orders/history?state=active')).json;
      return unless(past?.pagination?.total === 4 && active?.pagination?.total === 0, { past, active });
    },
  },
  {
    id: 'trigger/oco-cancelled',
    says: 'When one price of an `oco` order is reached, that leg is filled and the other one is `cancelled`, by its raw state `oco_cancelled`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const oco = { triggerCondition: undefined, triggerPriceUsd: undefined, tpPriceUsd: 2, slPriceUsd: 1 };
      const { id } = await createOrder(signedIn, oco, 'oco');
      const order = await waitForFill(signedIn, id);
      const legs = order?.legs?.map(({ orderContext, orderState, rawState }: Json) =>
        [orderContext, orderState, rawState].join(' '),
      );
      return firstOf(
        unless(order?.orderState === 'filled' && order.fillPercent === 1, order),
        unless(
          legs?.sort().join() === 'stop_loss cancelled oco_cancelled,take_profit filled fill_success',
          order,
        ),
        unless(findFill(order)?.orderContext === 'take_profit', order?.events),
      );
    },
  },
  {
    id: 'trigger/otoco-legs',
    says: 'The exits of an `otoco` order exist only after its first part is filled; the order is open until one of them is.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 100_000_000n);
      const exits = { tpPriceUsd: 1_000_000, slPriceUsd: 0.01 };
      const waiting = await createOrder(signedIn, exits, 'otoco', BUYING);
      const reached = { ...exits, triggerCondition: 'below', triggerPriceUsd: HIGH };
      const { id } = await createOrder(signedIn, reached, 'otoco', BUYING);
      const entered = await waitForOrder(
        signedIn,
        `/orders/history/${id}`,
        (order) => order?.legs !== undefined && order.orderState === 'open',
      );
      const { json: before } = await signedIn.ask(`/orders/history/${waiting.id}`);
      return firstOf(
        unless(before?.orderState === 'open' && before.legs === undefined, before),
        unless(entered?.orderState === 'open' && entered.legs?.length === 2, entered),
        unless(
          entered?.legs?.every(({ orderState }: Json) => orderState === 'open'),
          entered?.legs,
        ),
        unless(findFill(entered)?.orderContext === 'buy_below', entered?.events),
        unless(entered?.fillPercent === 0.5, entered),
      );
    },
  },
  {
    id: 'trigger/failed-attempt',
    says: 'An attempt that failed on the chain is listed as a failed fill without a reason, and the order is filled after it.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const deposit = await craft(signedIn);
      const { vaultPubkey } = (await signedIn.ask('/vault')).json;
      const { id } = await createOrder(signedIn);
      const fault = { effect: 'fail', wallet: vaultPubkey, program: AGGREGATOR };
      const struck = await world.admin('POST', '/admin/v1/network/faults/next', fault);
      const edit = { orderType: 'single', triggerPriceUsd: 1 };
      const edited = await signedIn.patch(`/orders/price/${id}`, edit);
      const order = await waitForFill(signedIn, id);
      await world.admin('DELETE', '/admin/v1/network/faults/next');
      const attempts = order?.events?.filter(({ type }: Json) => type === 'fill');
      return firstOf(
        difference(deposit, { status: 200 }),
        difference(struck, { status: 200 }),
        difference(edited, { status: 200 }),
        unless(attempts?.map(({ state }: Json) => state).join() === 'failed,success', order?.events),
        unless(attempts?.[0].outputAmount === undefined && attempts?.[0].reason === undefined, attempts),
      );
    },
  },
];

interface ReadFill {
  readonly keys: readonly string[];
  readonly meta: Json;
  readonly slippageBps: number | null;
}

/** Reads the transaction of a fill from the chain. */
async function readFill(world: World, order: Json): Promise<ReadFill> {
  const signature = kit.signature(findFill(order).txSignature);
  const read = await world.rpc
    .getTransaction(signature, {
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
      commitment: 'confirmed',
    })
    .send();
  if (read === null) throw new Error(`the chain does not have ${signature}`);
  const { messageBytes } = kit.getTransactionDecoder().decode(Buffer.from(read.transaction[0], 'base64'));
  const message = kit.getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version === 1) throw new Error('messages of version 1 are not sent');
  const { staticAccounts } = message;
  const swap = message.instructions
    .filter(({ programAddressIndex }) => staticAccounts[programAddressIndex] === AGGREGATOR)
    .map(({ data = new Uint8Array() }) => Buffer.from(data))
    .find((data) => SLIPPAGE_AT[data.toString('hex', 0, 8)] !== undefined);
  const { writable = [], readonly = [] } = (read.meta as Json)?.loadedAddresses ?? {};
  const at = swap === undefined ? undefined : SLIPPAGE_AT[swap.toString('hex', 0, 8)];
  return {
    keys: [...staticAccounts, ...writable, ...readonly].map(String),
    meta: read.meta,
    slippageBps: swap === undefined || at === undefined ? null : swap.readUInt16LE(at),
  };
}

function heldBy(balances: readonly Json[], owner: string): bigint {
  const own = balances.filter((balance) => balance.owner === owner && balance.mint === USDC);
  return own.reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n);
}
