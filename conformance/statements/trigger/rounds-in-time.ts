import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { advanceClock, networkNow } from '../embedded-network.ts';
import { JL_USDC, SOL } from '../mints.ts';
import {
  BUYING,
  cancelOrder,
  createOrder,
  createRounds,
  type Json,
  refusal,
  signInWithVault,
  waitForOrder,
} from './order-requests.ts';
import type { SignedIn } from './sign-in.ts';

const HOUR = 3_600;
/** By how much a round may be later than an interval after the last one, by chance: a twentieth of the interval. */
const LATER = 0.05;
const NOW = { beginFillAt: undefined };
const SOL_PRICE = '/admin/v1/network/prices/SOL';
const FOLLOWER = '/admin/v1/network/price-follower';

function waitForRounds(signedIn: SignedIn, id: string, rounds: number): Promise<Json> {
  return waitForOrder(
    signedIn,
    `/orders/history/dca/${id}`,
    (order) => order?.roundsFilled >= rounds && order.state !== 'executing',
  );
}

function listFills(order: Json): readonly Json[] {
  return order?.events?.filter(({ type, state }: Json) => type === 'fill' && state === 'success') ?? [];
}

/** Returns the seconds between the last round and the next one. */
function secondsToNext({ nextFillAt, lastFillAt }: Json): number {
  return (Date.parse(nextFillAt) - Date.parse(lastFillAt)) / 1_000;
}

/** Statements that move the clock and the prices, so they are the last ones. */
export const roundTimeStatements: readonly Statement[] = [
  {
    id: 'trigger/trailing-moves',
    says: 'The watermark of a trailing order follows a rising price and stays when it falls, and a distance that is behind the fallen price is 400 `Trailing order would immediately trigger`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const trailing = { triggerPriceUsd: undefined, trailingBps: 9_000, triggerCondition: 'below' };
      const { id } = await createOrder(signedIn, trailing);
      const path = `/orders/history/${id}`;
      const start = (await signedIn.ask(path)).json?.highWatermark;
      const followed = await world.admin('PUT', FOLLOWER, { following: true });
      await world.admin('PUT', SOL_PRICE, { price: (start * 1.05).toFixed(6) });
      const risen = await waitForOrder(signedIn, path, (order) => order?.highWatermark > start * 1.04);
      await world.admin('PUT', SOL_PRICE, { price: start.toFixed(6) });
      const edit = { orderType: 'single', trailingBps: 100 };
      // Until the price has fallen, the distance is allowed.
      let edited = await signedIn.patch(`/orders/price/${id}`, edit);
      for (let tries = 0; tries < 100 && edited.status === 200; tries++) {
        await signedIn.patch(`/orders/price/${id}`, { ...edit, trailingBps: 9_000 });
        await new Promise((resolve) => setTimeout(resolve, 200));
        edited = await signedIn.patch(`/orders/price/${id}`, edit);
      }
      const fallen = (await signedIn.ask(path)).json;
      await world.admin('PUT', FOLLOWER, { following: false });
      return firstOf(
        difference(followed, { status: 200 }),
        unless(risen?.highWatermark > start * 1.04, { start, risen }),
        refusal(edited, 'Trailing order would immediately trigger'),
        unless(fallen?.highWatermark >= risen?.highWatermark && fallen.orderState === 'open', fallen),
      );
    },
  },
  {
    id: 'trigger/dca-fills',
    says: 'A due round is filled within seconds, sells `amountPerRound`, and pays native SOL to the wallet; the last one sells the rest of the division, too.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 20_000_001n);
      const lamports = async () =>
        (await world.rpc.getBalance(signedIn.wallet.address, { commitment: 'confirmed' }).send()).value;
      const deposit = { ...BUYING, amount: '20000001' };
      const id = await createRounds(signedIn, { ...NOW, intervalSeconds: 60 }, deposit);
      const before = await lamports();
      const first = await waitForRounds(signedIn, id, 1);
      const gained = (await lamports()) - before;
      await advanceClock(world, 70);
      const last = await waitForRounds(signedIn, id, 2);
      const wait = secondsToNext(first);
      const [second, one] = listFills(last);
      const spent = BigInt(one?.outputAmount ?? 0) + BigInt(second?.outputAmount ?? 0);
      return firstOf(
        unless(first?.state === 'active' && first.roundsFilled === 1, first),
        unless(first?.inputAmountUsed === '10000000' && first.fillPercent < 0.5, first),
        unless(gained === BigInt(first?.outputAmountTotal), { gained, first }),
        unless(wait >= 60 && wait <= 60 * (1 + LATER), { wait, first }),
        unless(last?.state === 'completed' && last.displayState === 'completed', last),
        unless(last?.fillPercent === 1 && last.inputAmountRemaining === '0', last),
        unless(one?.roundNumber === 1 && one.inputAmount === '10000000', last?.events),
        unless(second?.roundNumber === 2 && second.inputAmount === '10000001', last?.events),
        unless(last?.outputAmountTotal === `${spent}`, last),
        unless(last?.events?.at(-1)?.type === 'deposit', last?.events),
        refusal(
          await signedIn.send('POST', `/orders/dca/cancel/${id}`),
          "Cannot cancel DCA order in 'completed' state",
        ),
      );
    },
  },
  {
    id: 'trigger/dca-clock-step',
    says: 'After a step of the clock over several rounds, they are not made up for: the next one is due at a whole number of intervals, and is filled then.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 60_000_000n);
      const deposit = { ...BUYING, amount: '60000000' };
      const id = await createRounds(signedIn, { ...NOW, orderCount: 3, intervalSeconds: HOUR }, deposit);
      const first = await waitForRounds(signedIn, id, 1);
      const due = Date.parse(first?.nextFillAt);
      // Between the end of one window and the next time that is due, so that no round can be filled.
      await advanceClock(world, 2 * HOUR + HOUR - 120);
      const moved = await waitForOrder(
        signedIn,
        `/orders/history/dca/${id}`,
        (order) => Date.parse(order?.nextFillAt) > due,
      );
      const intervals = (Date.parse(moved?.nextFillAt) - due) / (HOUR * 1_000);
      await advanceClock(world, HOUR * LATER + 240);
      const second = await waitForRounds(signedIn, id, 2);
      const { cancel } = await cancelOrder(signedIn, 'dca', id);
      return firstOf(
        unless(first?.roundsFilled === 1, first),
        unless(moved?.roundsFilled === 1 && moved.state === 'active', moved),
        unless(intervals === 2, { due: first?.nextFillAt, moved: moved?.nextFillAt }),
        unless(second?.roundsFilled === 2 && listFills(second).length === 2, second),
        unless(cancel.json.roundsRemaining === 1 && cancel.json.refundAmount === '20000000', cancel.json),
      );
    },
  },
  {
    id: 'trigger/dca-band',
    says: 'A round is filled while the price is between `minPriceUsd` and `maxPriceUsd`; otherwise the order stays active without a fill, and moves to the next interval.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 60_000_000n);
      const band = { ...NOW, orderType: 'price_conditional', triggerMint: SOL };
      const inside = await createRounds(signedIn, { ...band, minPriceUsd: 1, maxPriceUsd: 100_000 }, BUYING);
      const outside = await createRounds(signedIn, { ...band, maxPriceUsd: 1 }, BUYING);
      const filled = await waitForRounds(signedIn, inside, 1);
      const path = `/orders/history/dca/${outside}`;
      const waiting = (await signedIn.ask(path)).json;
      await advanceClock(world, HOUR / 2 + 60);
      const moved = await waitForOrder(signedIn, path, (order) => order?.nextFillAt !== waiting?.nextFillAt);
      const intervals = (Date.parse(moved?.nextFillAt) - Date.parse(waiting?.nextFillAt)) / (HOUR * 1_000);
      return firstOf(
        unless(filled?.roundsFilled === 1 && filled.minPriceUsd === 1, filled),
        unless(waiting?.orderType === 'price_conditional' && waiting.triggerMint === SOL, waiting),
        unless(moved?.state === 'active' && moved.roundsFilled === 0, moved),
        unless(intervals === 1 && listFills(moved).length === 0, { intervals, moved }),
      );
    },
  },
  {
    id: 'trigger/earn-rounds',
    says: 'Rounds of an order that earns sell `amountPerRound` of the stablecoin; `jlYieldUsd` is a number while it waits, and the last round sells the rest with the yield.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 20_000_000n);
      const earning = { ...NOW, jlEnabled: true, jlMint: JL_USDC };
      const id = await createRounds(signedIn, earning, { ...BUYING, jlMint: JL_USDC });
      const first = await waitForRounds(signedIn, id, 1);
      await advanceClock(world, HOUR * LATER + HOUR + 60);
      const last = await waitForRounds(signedIn, id, 2);
      const [second, one] = listFills(last);
      return firstOf(
        unless(first?.state === 'active' && first.jlEnabled === true, first),
        unless(typeof first?.jlYieldUsd === 'number' && first.jlYieldUsd >= 0, first),
        unless(last?.state === 'completed' && last.jlYieldUsd === null, last),
        unless(one?.inputAmount === '10000000' && second?.inputAmount === '10000000', last?.events),
        unless(last?.inputAmountRemaining === '0' && last.inputAmountUsed === '20000000', last),
      );
    },
  },
  {
    id: 'trigger/expired',
    says: 'An order that has expired says so in its state and its events; its money stays in the vault until it is cancelled.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 20_000_000n);
      const expiresAt = (await networkNow(world)) + 120_000;
      const { id } = await createOrder(signedIn, { expiresAt }, 'single', BUYING);
      await advanceClock(world, 150);
      const order = await waitForOrder(
        signedIn,
        `/orders/history/${id}`,
        ({ orderState }) => orderState === 'expired',
      );
      const past = (await signedIn.ask('/orders/history?state=past')).json;
      const edit = await signedIn.patch(`/orders/price/${id}`, { orderType: 'single', triggerPriceUsd: 9 });
      const { confirmed } = await cancelOrder(signedIn, 'price', id);
      const ended = (await signedIn.ask(`/orders/history/${id}`)).json;
      const kinds = order?.events?.map(({ type }: Json) => type).join();
      return firstOf(
        unless(order?.orderState === 'expired' && order.rawState === 'expired', order),
        unless(kinds === 'deposit,expired' && order.remainingInputAmount === '20000000', order),
        unless(past?.orders?.[0]?.id === id, past),
        refusal(edit, /^Order cannot be updated in 'expired' state/),
        difference(confirmed, { status: 200, body: { id } }),
        unless(ended?.orderState === 'cancelled', ended),
      );
    },
  },
];
