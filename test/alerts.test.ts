import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MetricValue } from '../src/gateway/metrics/metric-value.ts';
import { type AlertRule, readRuleFile } from '../src/gateway/alerts/rules/rule-file.ts';
import { AlertWatch } from '../src/gateway/alerts/watch/alert-watch.ts';
import { ManualTimers } from '../src/testing/timers.ts';
import { yieldToOtherWork } from '../src/testing/waits.ts';
import { documentedMetrics } from './documented-metrics.ts';

const rules = readRuleFile(readFileSync(new URL('../docs/monitoring/alerts.yml', import.meta.url), 'utf8'));

describe('the rules of the alerts', () => {
  it('are all evaluated by an instance', () => {
    expect(rules.filter(({ plan }) => 'refusal' in plan)).toEqual([]);
    expect(rules.map(({ name }) => name).sort()).toEqual(Object.keys(FIRING).sort());
  });

  it.each(rules.map((rule) => [rule.name, rule] as const))(
    '%s fires when something is wrong, and only then',
    async (name, rule) => {
      const { wrong, right, summary } = FIRING[name] as MadeUp;
      expect(await watch(rule, right)).toMatchObject({ state: 'quiet' });
      const { state, active } = await watch(rule, wrong);
      expect(state).toBe('firing');
      expect(active[0]?.summary).toBe(summary);
    },
  );

  it('are told of metrics that the documentation has', () => {
    const known = documentedMetrics();
    const told = Object.values(FIRING).flatMap(({ wrong, right }) =>
      [...wrong, ...right].map(([metric]) => metric),
    );
    const others = told.filter(
      (metric) => metric.startsWith('sluice_') && !known.has(metric.replace(/_bucket$/, '')),
    );
    expect(others).toEqual([]);
  });
});

/** A series that a made-up instance has: its metric, its labels, its first value, and what is added each 15 seconds. */
type MadeUpSeries = readonly [string, Readonly<Record<string, string>>, number, number?];

/** Metrics with which an alert fires, the summary that it then has, and metrics with which it is quiet. */
interface MadeUp {
  readonly wrong: readonly MadeUpSeries[];
  readonly summary: string;
  readonly right: readonly MadeUpSeries[];
}

const INSTANCE = '127.0.0.1:9464';

const FIRING: Readonly<Record<string, MadeUp>> = {
  SluiceDown: { wrong: [['up', {}, 0]], right: [], summary: `${INSTANCE} cannot be scraped.` },
  SluicePartDown: {
    wrong: [
      ['sluice_part_up', { part: 'database' }, 1],
      ['sluice_part_up', { part: 'valkey' }, 0],
    ],
    right: [['sluice_part_up', { part: 'valkey' }, 1]],
    summary: `valkey does not answer ${INSTANCE}.`,
  },
  SluiceServerErrors: {
    wrong: toAnswers({ 200: 9, 503: 1, 500: 1 }),
    right: toAnswers({ 200: 99, 404: 90 }),
    summary: `${INSTANCE} answers 18.18% of its requests with a 5xx status.`,
  },
  SluiceSlow: {
    wrong: [...toDurations('/swap/v2/order', 4), ...toDurations('/swap/v2/execute', 90)],
    right: [...toDurations('/swap/v2/order', 0), ...toDurations('/tx/v1/submit', 90)],
    summary: 'One request in a hundred to /swap/v2/order takes more than 2 seconds.',
  },
  SluiceOverloaded: {
    wrong: [['sluice_http_requests_refused_total', { bucket: 'main' }, 1_000, 30]],
    right: [['sluice_http_requests_refused_total', { bucket: 'main' }, 1_000, 10]],
    summary: `${INSTANCE} refuses requests because too many others are in flight.`,
  },
  SluiceEventLoopLag: {
    wrong: [['nodejs_eventloop_lag_p99_seconds', {}, 0.4]],
    right: [['nodejs_eventloop_lag_p99_seconds', {}, 0.01]],
    summary: `The event loop of ${INSTANCE} is late by more than 200 ms.`,
  },
  SluiceChainBehind: {
    wrong: [['sluice_chain_blockhash_age_seconds', {}, 25.5]],
    right: [['sluice_chain_blockhash_age_seconds', {}, 2]],
    summary: `${INSTANCE} has had no new blockhash for 25.5 seconds.`,
  },
  SluiceTradesMissing: {
    wrong: [['sluice_trades_behind_seconds', { source: 'rpc' }, 1_000]],
    right: [],
    summary: `${INSTANCE} has not known all trades for 1000 seconds.`,
  },
  SluicePoolsUnusable: {
    wrong: [
      ['sluice_pools', { state: 'usable' }, 30],
      ['sluice_pools', { state: 'unusable' }, 10.1],
    ],
    right: [
      ['sluice_pools', { state: 'usable' }, 30],
      ['sluice_pools', { state: 'unusable' }, 1],
    ],
    summary: 'Routes may not use 25.19% of the pools.',
  },
  SluiceKeysStale: {
    wrong: [['sluice_keys_age_seconds', {}, 61]],
    right: [['sluice_keys_age_seconds', {}, 1]],
    summary: `${INSTANCE} does not see changes of keys, plans and rules.`,
  },
  SluiceLimitsUncounted: {
    wrong: [['sluice_limiter_uncounted_total', { outcome: 'alone' }, 0, 1]],
    right: [['sluice_limiter_uncounted_total', { outcome: 'alone' }, 7]],
    summary: 'Requests are not counted together with other instances: alone.',
  },
  SluiceRequestLogLosing: {
    wrong: [['sluice_request_log_lost_total', { what: 'rows' }, 0, 1]],
    right: [['sluice_request_log_lost_total', { what: 'rows' }, 3]],
    summary: `The request log of ${INSTANCE} has lost rows.`,
  },
  SluiceExecutionsFailing: {
    wrong: toOutcomes('sluice_swap_executions_total', 'code', { 0: 2, '-1000': 2 }),
    right: toOutcomes('sluice_swap_executions_total', 'code', { 0: 9, '-1000': 1 }),
    summary: '50% of the executions fail.',
  },
  SluiceSendersUnavailable: {
    wrong: toSends({ accepted: 1, unavailable: 1 }),
    right: toSends({ accepted: 1, rejected: 9 }),
    summary: 'Sender own does not take transactions.',
  },
  SluiceLandingReportsLost: {
    wrong: [['sluice_landing_reports_lost', {}, 0, 1]],
    right: [['sluice_landing_reports_lost', {}, 5]],
    summary: 'Reports about submitted transactions were lost.',
  },
  SluiceMakerSuspended: {
    wrong: [['sluice_rfq_maker_status', { maker: 'acme', status: 'suspended' }, 1]],
    right: [
      ['sluice_rfq_maker_status', { maker: 'acme', status: 'suspended' }, 0],
      ['sluice_rfq_maker_status', { maker: 'acme', status: 'active' }, 1],
    ],
    summary: 'Maker acme is suspended.',
  },
  SluiceMakerWebhookFails: {
    wrong: toCalls([
      ['quote', 1],
      ['timeout', 2],
      ['connection', 1],
      ['busy', 90],
    ]),
    right: toCalls([
      ['quote', 3],
      ['timeout', 1],
      ['aborted', 9],
    ]),
    summary: 'Maker acme fails 75% of the questions to its webhook.',
  },
  SluiceMakerFillsFew: {
    wrong: [['sluice_rfq_fill_rate', { maker: 'acme' }, 0.5]],
    right: [['sluice_rfq_fill_rate', { maker: 'acme' }, 0.9]],
    summary: 'Maker acme fills 50% of its swaps.',
  },
  SluiceGasWalletLow: {
    wrong: [['sluice_gas_wallet_lamports', {}, 99_999_999]],
    right: [['sluice_gas_wallet_lamports', {}, 100_000_000]],
    summary: 'The gas wallet has less than 0.1 SOL left.',
  },
  SluiceOrdersWaitForGas: {
    wrong: [
      ['sluice_waiting_orders_waiting', { reason: 'gas' }, 3],
      ['sluice_waiting_orders_waiting', { reason: 'price' }, 9],
    ],
    right: [['sluice_waiting_orders_waiting', { reason: 'price' }, 9]],
    summary: '3 orders whose price is reached are not filled, because nobody pays for the fills.',
  },
  SluiceLaunchesWait: {
    wrong: [['sluice_launches_complete', {}, 2]],
    right: [['sluice_launches_complete', {}, 0]],
    summary: '2 launches wait for a migration that the operator pays for.',
  },
  SluiceStudioFilesFull: {
    wrong: [['sluice_studio_uploads_total', { outcome: 'full' }, 100, 1]],
    right: [['sluice_studio_uploads_total', { outcome: 'stored' }, 100, 1]],
    summary: '60 files of launches were refused, because there is no room for them.',
  },
  SluiceKeeperDown: {
    wrong: [['sluice_part_up', { part: 'keeper' }, 0]],
    right: [['sluice_part_up', { part: 'chain' }, 0]],
    summary: `The keeper of ${INSTANCE} does not work.`,
  },
  SluiceOrderFillsFailing: {
    wrong: toOutcomes('sluice_waiting_orders_fills_total', 'outcome', { success: 1, failed: 2, expired: 1 }),
    right: toOutcomes('sluice_waiting_orders_fills_total', 'outcome', { success: 2, failed: 1 }),
    summary: '75% of the fills of waiting orders do not succeed.',
  },
  SluiceRoundsMissed: {
    wrong: [
      ['sluice_waiting_orders_rounds_missed_total', { reason: 'late' }, 100, 1],
      ['sluice_waiting_orders_rounds_filled_total', {}, 100, 3],
    ],
    right: [
      ['sluice_waiting_orders_rounds_missed_total', { reason: 'band' }, 100, 9],
      ['sluice_waiting_orders_rounds_filled_total', {}, 100, 3],
    ],
    summary:
      '25% of the rounds of recurring orders were missed in the last hour, and not because of their price bands.',
  },
  SluicePredictionsWait: {
    wrong: [['sluice_predictions_queued', {}, 4]],
    right: [['sluice_predictions_queued', {}, 0]],
    summary: '4 orders and trades of prediction markets wait to be filled.',
  },
  SluicePredictionsUncovered: {
    wrong: [['sluice_predictions_vault_surplus_usd', {}, -12.5]],
    right: [['sluice_predictions_vault_surplus_usd', {}, 0]],
    summary:
      'The vault of prediction markets lacks -12.5 dollars to cover what positions can be paid and the house can lose.',
  },
  SluiceForecastRoundsMissed: {
    wrong: [['sluice_forecasts_rounds_missed_total', {}, 1_000, 1]],
    right: [['sluice_forecasts_rounds_missed_total', {}, 1_000]],
    summary: '240 rounds of forecasts were not opened in the last hour.',
  },
  SluiceForecastRoundsVoid: {
    wrong: [['sluice_forecasts_rounds_ended_total', { outcome: 'void' }, 1_000, 1]],
    right: [['sluice_forecasts_rounds_ended_total', { outcome: 'up' }, 1_000, 1]],
    summary: '240 rounds of forecasts ended without a result in the last hour.',
  },
};

function toOutcomes(
  metric: string,
  label: string,
  steps: Readonly<Record<string, number>>,
): readonly MadeUpSeries[] {
  return Object.entries(steps).map(([value, step]) => [metric, { [label]: value }, 1_000, step]);
}

function toAnswers(steps: Readonly<Record<string, number>>): readonly MadeUpSeries[] {
  return Object.entries(steps).map(([status, step]) => [
    'sluice_http_requests_total',
    { method: 'GET', route: '/swap/v2/order', status },
    1_000,
    step,
  ]);
}

function toSends(steps: Readonly<Record<string, number>>): readonly MadeUpSeries[] {
  return Object.entries(steps).map(([answer, step]) => [
    'sluice_landing_sends_total',
    { sender: 'own', answer },
    1_000,
    step,
  ]);
}

function toCalls(steps: readonly (readonly [string, number])[]): readonly MadeUpSeries[] {
  return steps.map(([outcome, step]) => [
    'sluice_rfq_calls_total',
    { maker: 'acme', call: 'quote', outcome },
    1_000,
    step,
  ]);
}

/** A hundred requests each time, of which some take longer than 2.5 seconds. */
function toDurations(route: string, slow: number): readonly MadeUpSeries[] {
  const metric = 'sluice_http_request_duration_seconds_bucket';
  return [
    [metric, { route, le: '1' }, 1_000, 100 - slow],
    [metric, { route, le: '2.5' }, 1_000, 100 - slow],
    [metric, { route, le: '5' }, 1_000, 100],
    [metric, { route, le: '+Inf' }, 1_000, 100],
  ];
}

/** Long enough for every alert to fire, and for the longest range to be whole. */
const SAMPLINGS = 250;

/** Lets an instance with made-up metrics evaluate a rule for an hour, and returns the alert then. */
async function watch(rule: AlertRule, series: readonly MadeUpSeries[]) {
  const timers = new ManualTimers();
  let step = 0;
  const alerts = new AlertWatch({
    rules: [rule],
    source: 'docs/monitoring/alerts.yml',
    metrics: {
      hasMetric: () => true,
      read: async () => {
        if (series.some(([metric]) => metric === 'up')) throw new Error('the metrics cannot be read');
        const values = series.map(
          ([metric, labels, first, added = 0]): MetricValue => ({
            metric,
            labels,
            value: first + added * step,
          }),
        );
        step++;
        return values;
      },
    },
    getInstanceName: () => INSTANCE,
    timers,
    pause: async () => {},
    onChange: () => {},
    onDefect: () => {},
  });
  await alerts.start();
  for (let count = 1; count < SAMPLINGS; count++) {
    timers.advance(15_000);
    await yieldToOtherWork();
  }
  const [alert] = alerts.read().alerts;
  if (alert === undefined) throw new Error('the rule is not watched');
  return alert;
}
