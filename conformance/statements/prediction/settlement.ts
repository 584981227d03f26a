import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { advanceClock, networkNow } from '../embedded-network.ts';
import {
  askPrediction,
  askUntil,
  createEvent,
  createMarket,
  createTrader,
  execute,
  findAbsent,
  purchase,
  resolveMarket,
  waitForEvent,
} from './prediction-requests.ts';

// How markets end, and what their positions are paid.

const DAY = 86_400;
const CLAIM_FIELDS = [
  ...['positionPubkey', 'marketPubkey', 'userPubkey', 'ownerPubkey', 'isYes', 'contracts', 'contractsMicro'],
  ...['contractsDecimal', 'payoutAmountUsd', 'pubkey'],
];

/** Buys yes contracts of a new market, and resolves it. */
async function buyAndResolve(world: World, result: 'yes' | 'no') {
  const trader = await createTrader(world);
  const marketId = await createMarket(world);
  const bought = await purchase(world, trader, marketId);
  await resolveMarket(world, marketId, result);
  return { ...bought, marketId };
}

/** Waits until a position can be claimed, and returns its JSON. */
async function waitForWin(world: World, position: string) {
  const { json } = await askUntil(
    world,
    `/positions/${position}`,
    (answer) => answer.json?.claimable === true,
  );
  return json;
}

export const predictionSettlementStatements: readonly Statement[] = [
  {
    id: 'prediction/result',
    says: 'A market that is resolved stays `closed` with its `result`, and has the ISO time and the account of it.',
    check: async (world) => {
      const marketId = await createMarket(world);
      await resolveMarket(world, marketId, 'no');
      const isPosted = ({ json }: { readonly json: { resolveAt?: unknown } }) => json?.resolveAt !== null;
      const market = await askUntil(world, `/markets/${marketId}`, isPosted);
      return firstOf(
        difference(market, { status: 200, body: { status: 'closed', result: 'no', tradable: false } }),
        unless(
          /^\d{4}-.*Z$/.test(market.json.resolveAt) && market.json.marketResultPubkey !== null,
          market.json,
        ),
      );
    },
  },
  {
    id: 'prediction/claim',
    says: 'A position that has won is claimable, and a claim has `blockhash` and `lastValidBlockHeight` in `txMeta` and at the root; it pays 1.00 for each contract, without a fee.',
    check: async (world) => {
      const { trader, position } = await buyAndResolve(world, 'yes');
      const won = await waitForWin(world, position);
      const body = { ownerPubkey: trader.address };
      const { json } = await askPrediction(world, `/positions/${position}/claim`, 'POST', body);
      const executed = await execute(world, json.transaction, trader);
      const paid = await waitForEvent(world, trader.address, 'payout_claimed');
      const again = await askPrediction(world, `/positions/${position}/claim`, 'POST', body);
      return firstOf(
        unless(
          won.claimable && Number.isInteger(won.claimableAt) && won.payoutUsd === won.contractsMicro,
          won,
        ),
        unless(findAbsent(json.position, CLAIM_FIELDS).length === 0, json),
        unless(
          json.txMeta.blockhash === json.blockhash &&
            json.txMeta.lastValidBlockHeight === json.lastValidBlockHeight &&
            json.requiredSigners.join() === trader.address,
          json,
        ),
        unless(json.position.payoutAmountUsd === won.contractsMicro, json.position),
        difference(executed, { status: 200, body: { status: 'Success' } }),
        unless(paid?.payoutAmountUsd === won.contractsMicro && ['0', null].includes(paid.feeUsd), paid),
        unless([400, 404].includes(again.status), again.text),
      );
    },
  },
  {
    id: 'prediction/lost',
    says: 'A position that has lost is closed by the keeper, with `position_lost` in the history of its owner.',
    check: async (world) => {
      const { trader, position } = await buyAndResolve(world, 'no');
      const lost = await waitForEvent(world, trader.address, 'position_lost');
      const listed = await askPrediction(world, `/positions?ownerPubkey=${trader.address}`);
      return firstOf(
        unless(lost?.positionPubkey === position && lost.payoutAmountUsd === '0', lost),
        unless(
          listed.json.data.every(({ claimable }: { readonly claimable: boolean }) => !claimable),
          listed.json,
        ),
      );
    },
  },
  {
    id: 'prediction/cancelled',
    says: 'The stakes of a cancelled market are refunded without a claim, and its status is `cancelled`, without a result.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { eventId, markets } = await createEvent(world);
      const marketId = `${markets[0]?.marketId}`;
      await purchase(world, trader, marketId);
      await world.admin('POST', `/admin/v1/prediction-events/${eventId}/cancel`);
      const market = await askPrediction(world, `/markets/${marketId}`);
      const refunded = await waitForEvent(world, trader.address, 'payout_claimed');
      return firstOf(
        difference(market, { status: 200, body: { status: 'cancelled', result: null } }),
        unless(Number(refunded?.payoutAmountUsd) > 0, refunded),
      );
    },
  },
  {
    id: 'prediction/close-all',
    says: '`DELETE positions` builds a sale for each open position, and a claim, which has a `position`, for each that has won.',
    check: async (world) => {
      const { trader, position } = await buyAndResolve(world, 'yes');
      const open = await purchase(world, trader, await createMarket(world));
      await waitForWin(world, position);
      const body = { ownerPubkey: trader.address, minSellPriceSlippageBps: 200 };
      const { json } = await askPrediction(world, '/positions', 'DELETE', body);
      const claim = json.data.find((each: object) => 'position' in each);
      const sale = json.data.find((each: object) => !('position' in each));
      const sold = await execute(world, sale.transaction, trader);
      const claimed = await execute(world, claim.transaction, trader);
      return firstOf(
        unless(json.data.length === 2, json),
        unless(claim.position.positionPubkey === position, claim),
        unless(sale.order.positionPubkey === open.position && sale.order.maxSlippageBps === 200, sale.order),
        difference(sold, { status: 200, body: { status: 'Success' } }),
        difference(claimed, { status: 200, body: { status: 'Success' } }),
      );
    },
  },
  {
    id: 'prediction/close-all-usual',
    says: '`DELETE positions` without `minSellPriceSlippageBps`, as a published sample sends it, has that of a single sale.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { position } = await purchase(world, trader, await createMarket(world));
      const all = await askPrediction(world, '/positions', 'DELETE', { ownerPubkey: trader.address });
      const one = await askPrediction(world, `/positions/${position}`, 'DELETE', {
        ownerPubkey: trader.address,
      });
      return firstOf(
        unless(all.json?.data?.length === 1, all.text),
        unless(
          all.json.data[0].order.minSellPriceUsd === one.json.order.minSellPriceUsd,
          all.json.data[0].order,
        ),
      );
    },
  },
  {
    id: 'prediction/foreign-position',
    says: 'Nobody sells or claims the position of another wallet.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { position } = await purchase(world, trader, await createMarket(world));
      const body = { ownerPubkey: world.wallet.address };
      const sale = await askPrediction(world, `/positions/${position}`, 'DELETE', body);
      const claim = await askPrediction(world, `/positions/${position}/claim`, 'POST', body);
      return unless(sale.status === 403 && claim.status === 403, [sale.text, claim.text]);
    },
  },
];

/** Statements that put the clock of the network forward. They are the last ones. */
export const predictionTimeStatements: readonly Statement[] = [
  {
    id: 'prediction/closed-position',
    says: 'From its closing time on a market is `closed`, and a position in it has null as its value, its price and its profit until there is a result.',
    check: async (world) => {
      const trader = await createTrader(world);
      const closeAt = Math.floor((await networkNow(world)) / 1_000) + 3_600;
      const marketId = await createMarket(world, { closeAt });
      const { position } = await purchase(world, trader, marketId);
      await advanceClock(world, 3_600);
      const market = await askPrediction(world, `/markets/${marketId}`);
      const { json } = await askPrediction(world, `/positions/${position}`);
      const nulls = ['valueUsd', 'markPriceUsd', 'pnlUsd', 'pnlUsdPercent', 'pnlUsdAfterFees'];
      return firstOf(
        difference(market, { status: 200, body: { status: 'closed', result: null, tradable: false } }),
        unless(
          nulls.every((name) => json[name] === null),
          json,
        ),
        unless(json.claimable === false && json.claimableAt === null, json),
      );
    },
  },
  {
    id: 'prediction/paid-by-keeper',
    says: 'What nobody has claimed a day after the result is paid out by the keeper.',
    check: async (world) => {
      const { trader, position } = await buyAndResolve(world, 'yes');
      await waitForWin(world, position);
      await advanceClock(world, DAY + 60);
      const paid = await waitForEvent(world, trader.address, 'payout_claimed');
      return unless(paid?.positionPubkey === position && Number(paid.payoutAmountUsd) > 0, paid);
    },
  },
];
