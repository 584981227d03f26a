import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import {
  askPrediction,
  askUntil,
  createEvent,
  createMarket,
  createTrader,
  findAbsent,
  purchase,
  resolveMarket,
  waitForEvent,
} from './prediction-requests.ts';

// What everybody sees of what wallets trade and win.

const PROFILE_FIELDS = [
  ...['realizedPnlUsd', 'totalVolumeUsd', 'predictionsCount', 'correctPredictions', 'wrongPredictions'],
  ...[
    'totalActiveContracts',
    'totalActiveContractsMicro',
    'totalActiveContractsDecimal',
    'totalPositionsValueUsd',
  ],
];
const ENTRY_COUNTS = ['predictionsCount', 'correctPredictions', 'wrongPredictions'];
const TRADE_TEXTS = [
  ...['id', 'ownerPubkey', 'marketId', 'message', 'action', 'side', 'eventTitle', 'marketTitle', 'amountUsd'],
  ...['priceUsd', 'eventImageUrl', 'eventId'],
];
const SCORE_FIELDS = [
  ...[
    'eventId',
    'gameId',
    'leagueAbbreviation',
    'homeTeam',
    'awayTeam',
    'score',
    'period',
    'elapsed',
    'status',
  ],
  ...['live', 'ended', 'finishedTimestamp', 'updatedAt'],
];
const UNKNOWN_WALLET = '11111111111111111111111111111112';

/** Buys contracts that lose, and returns their owner. */
async function lose(world: World): Promise<string> {
  const trader = await createTrader(world);
  const marketId = await createMarket(world);
  await purchase(world, trader, marketId);
  await resolveMarket(world, marketId, 'no');
  await waitForEvent(world, trader.address, 'position_lost');
  return trader.address;
}

export const predictionSocialStatements: readonly Statement[] = [
  {
    id: 'prediction/profile',
    says: 'A profile has all its figures and counts as text, and a wallet that has never traded is a 404 with `error` alone.',
    check: async (world) => {
      const owner = await lose(world);
      const decided = (json: { readonly wrongPredictions?: string } | null) => json?.wrongPredictions === '1';
      const answer = await askUntil(world, `/profiles/${owner}`, ({ json }) => decided(json));
      const unknown = await askPrediction(world, `/profiles/${UNKNOWN_WALLET}`);
      const { json } = answer;
      return firstOf(
        unless(findAbsent(json, PROFILE_FIELDS).length === 0, findAbsent(json, PROFILE_FIELDS)),
        unless(
          PROFILE_FIELDS.every((name) => typeof json[name] === 'string'),
          json,
        ),
        unless(json.predictionsCount === '1' && json.correctPredictions === '0' && decided(json), json),
        unless(Number(json.realizedPnlUsd) < 0 && Number(json.totalVolumeUsd) > 0, json),
        difference(unknown, { status: 404 }),
        unless(Object.keys(unknown.json).join() === 'error', unknown.text),
      );
    },
  },
  {
    id: 'prediction/pnl-history',
    says: 'The profit of a wallet over time stands under `history`, as many points as `count`, 10 by default; `interval` is `24h`, `1w` or `1m`.',
    check: async (world) => {
      const owner = await lose(world);
      const ask = (query: string) => askPrediction(world, `/profiles/${owner}/pnl-history${query}`);
      const usual = await askUntil(
        world,
        `/profiles/${owner}/pnl-history`,
        ({ json }) => Number(json?.history?.at(-1)?.realizedPnlUsd) < 0,
      );
      const { json } = usual;
      const last = json.history.at(-1);
      return firstOf(
        unless(json.ownerPubkey === owner && json.history.length === 10, json),
        unless(Number.isInteger(last.timestamp) && /^-\d+$/.test(last.realizedPnlUsd), last),
        unless((await ask('?interval=1m&count=3')).json?.history?.length === 3, 'count'),
        difference(await ask('?interval=24h&count=1000'), { status: 200 }),
        difference(await ask('?count=0'), { status: 400, body: { param: 'count' } }),
        difference(await ask('?count=1001'), { status: 400, body: { param: 'count' } }),
        difference(await ask('?interval=1y'), { status: 400, body: { param: 'interval' } }),
      );
    },
  },
  {
    id: 'prediction/leaderboards',
    says: 'Leaderboards have counts as numbers, `winRatePct` as a text of two digits, the times of their period in ISO 8601 or null, and a `summary` of all three periods.',
    check: async (world) => {
      const owner = await lose(world);
      const path = '/leaderboards?period=weekly&metric=volume';
      const has = (json: { readonly data?: readonly { readonly ownerPubkey: string }[] } | null) =>
        json?.data?.some(({ ownerPubkey }) => ownerPubkey === owner) === true;
      const weekly = (await askUntil(world, path, ({ json }) => has(json))).json;
      const all = (await askPrediction(world, '/leaderboards')).json;
      const [entry, first] = [weekly.data[0], all.data[0]];
      return firstOf(
        unless(has(weekly), weekly),
        unless(
          ENTRY_COUNTS.every((name) => Number.isInteger(entry[name])),
          entry,
        ),
        unless(/^\d+\.\d\d$/.test(entry.winRatePct) && entry.period === 'weekly', entry),
        unless(/^\d{4}-.*Z$/.test(entry.periodStart) && /^\d{4}-.*Z$/.test(entry.periodEnd), entry),
        unless(first.period === 'all_time' && first.periodStart === null && first.periodEnd === null, first),
        unless(
          ['all_time', 'weekly', 'monthly'].every(
            (period) =>
              Number(all.summary[period]?.totalVolumeUsd) > 0 &&
              Number.isInteger(all.summary[period].predictionsCount),
          ),
          all.summary,
        ),
      );
    },
  },
  {
    id: 'prediction/leaderboard-parameters',
    says: '`limit` is 1 to 100, `metric` is `pnl`, `volume` or `win_rate`, and `period` `all_time`, `weekly` or `monthly`.',
    check: async (world) => {
      await lose(world);
      const ask = (query: string) => askPrediction(world, `/leaderboards?${query}`);
      return firstOf(
        unless((await ask('limit=1&metric=volume')).json?.data?.length === 1, 'limit'),
        difference(await ask('limit=100&metric=win_rate&period=monthly'), { status: 200 }),
        difference(await ask('limit=101'), { status: 400, body: { param: 'limit' } }),
        difference(await ask('limit=0'), { status: 400, body: { param: 'limit' } }),
        difference(await ask('metric=luck'), { status: 400, body: { param: 'metric' } }),
        difference(await ask('period=daily'), { status: 400, body: { param: 'period' } }),
      );
    },
  },
  {
    id: 'prediction/trades',
    says: 'The trades of everybody are listed, the newest first, with an `id` as text, a sentence, and the time in seconds.',
    check: async (world) => {
      const trader = await createTrader(world);
      const marketId = await createMarket(world);
      await purchase(world, trader, marketId);
      const { json } = await askUntil(
        world,
        '/trades',
        (answer) => answer.json?.data?.[0]?.marketId === marketId,
      );
      const [trade] = json.data;
      const times = json.data.map(({ timestamp }: { readonly timestamp: number }) => timestamp);
      return firstOf(
        unless(
          TRADE_TEXTS.every((name) => typeof trade[name] === 'string'),
          trade,
        ),
        unless(trade.ownerPubkey === trader.address && trade.action === 'buy' && trade.side === 'yes', trade),
        unless(
          /^\d+$/.test(trade.amountUsd) && /^\d+$/.test(trade.priceUsd) && trade.message.length > 0,
          trade,
        ),
        unless(
          times.every((time: number, at: number) => at === 0 || time <= times[at - 1]),
          times,
        ),
      );
    },
  },
  {
    id: 'prediction/profile-positions',
    says: 'The positions of a wallet are listed below its profile too.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { position } = await purchase(world, trader, await createMarket(world));
      const { json } = await askPrediction(world, `/profiles/${trader.address}/positions`);
      return unless(json?.data?.length === 1 && json.data[0].pubkey === position, json);
    },
  },
  {
    id: 'prediction/score',
    says: 'The score of an event is null until the operator posts one; of several events, those without one are left out, and at most 100 may be named.',
    check: async (world) => {
      const { eventId } = await createEvent(world, [{}], { category: 'sports' });
      const { eventId: other } = await createEvent(world);
      const before = await askPrediction(world, `/events/${eventId}/score`);
      const posted = { homeTeam: 'North', awayTeam: 'South', score: '2-0', state: 'live' };
      await world.admin('POST', `/admin/v1/prediction-events/${eventId}/score`, posted);
      const score = await askPrediction(world, `/events/${eventId}/score`);
      const several = await askPrediction(world, `/events/scores?eventIds=${other},${eventId}`);
      const many = Array.from({ length: 101 }, (_, index) => `E-${index}`).join();
      return firstOf(
        unless(before.status === 200 && before.json === null, before.text),
        difference(score, { status: 200, body: { eventId, score: '2-0', live: true, ended: false } }),
        unless(findAbsent(score.json, SCORE_FIELDS).length === 0, findAbsent(score.json, SCORE_FIELDS)),
        unless(several.json?.data?.length === 1 && several.json.data[0].eventId === eventId, several.text),
        difference(await askPrediction(world, `/events/scores?eventIds=${many}`), {
          status: 400,
          body: { param: 'eventIds' },
        }),
      );
    },
  },
];
