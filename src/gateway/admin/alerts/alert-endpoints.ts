import { findLongestRange, type AlertsSnapshot, type AlertWatch } from '../../alerts/watch/alert-watch.ts';
import type { UnknownReason, WatchedAlert } from '../../alerts/watch/watched-alert.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import * as shape from './alert-schema.ts';

/** What the endpoints read: the last evaluation, and the values of the last hour. */
export type AlertServices = Pick<AlertWatch, 'read' | 'listCurves'>;

const list = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/alerts',
  summary: 'The alerts of this instance: which are firing, pending, quiet or unknown',
  description:
    'The instance samples its own metrics every 15 seconds and evaluates the rules of docs/monitoring/alerts.yml as Prometheus does. The answer is the last evaluation.',
  responses: { 200: shape.AlertsAnswer },
  handle: async (alerts: AlertServices) => toAlertsAnswer(alerts.read()),
});

const history = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/alerts/:alert/history',
  summary: 'The values that an alert compared in the last hour',
  params: shape.AlertParams,
  responses: { 200: shape.AlertHistoryAnswer },
  handle: async (alerts: AlertServices, { params: { alert } }) => {
    const curves = alerts.listCurves(alert);
    if (curves === null) throw new RequestInvalid(`There is no alert ${alert}`, 404);
    return {
      name: alert,
      curves: curves.map(({ labels, times, values }) => ({
        labels,
        points: times.map((at, place) => ({ at, value: toFinite(values[place] ?? Number.NaN) })),
      })),
    };
  },
});

/** The alerts that the instance evaluates itself. */
export const ALERT_ENDPOINTS = [list, history];

function toAlertsAnswer({
  source,
  everyMs,
  evaluatedAt,
  sampledSince,
  counts,
  series,
  bytes,
  alerts,
}: AlertsSnapshot) {
  return {
    source,
    every: everyMs,
    evaluatedAt,
    sampledSince,
    counts,
    memory: { series, bytes },
    alerts: alerts.map((alert) => toAlertAnswer(alert, sampledSince)),
  };
}

function toAlertAnswer(alert: WatchedAlert, sampledSince: number | null) {
  const { rule, state, since, reason, lastFiredAt, active, activeCount, readings } = alert;
  const { name, expression, forMs, labels, runbook, plan } = rule;
  const range = 'refusal' in plan ? 0 : findLongestRange(plan);
  return {
    name,
    severity: labels.severity ?? null,
    state,
    since,
    expression,
    for: forMs,
    range,
    wholeFrom: sampledSince === null ? null : sampledSince + range,
    threshold: 'refusal' in plan ? null : plan.threshold,
    runbook: runbook === null ? null : toDocsPath(runbook),
    reason:
      reason === null
        ? null
        : {
            kind: reason.kind,
            text: describeReason(reason),
            from: reason.kind === 'history' ? reason.from : null,
          },
    lastFiredAt,
    active: active.map((one) => ({ ...one, value: toFinite(one.value) })),
    activeCount,
    readings: readings.map((reading) => ({ labels: reading.labels, value: toFinite(reading.value) })),
  };
}

/** A page of the project is at the path of its file on the site. What an operator's own rules name is left as it is. */
function toDocsPath(runbook: string): string {
  return runbook.replace(/^docs\/([\w/-]+)\.md(?=#|$)/, '/docs/$1');
}

function describeReason(reason: UnknownReason): string {
  if (reason.kind === 'refused') return `It cannot be evaluated: ${reason.message}.`;
  if (reason.kind === 'history') return 'There are not enough samples yet.';
  const metrics = reason.metrics.join(' and ');
  return reason.kind === 'metric'
    ? `This instance has no metric ${metrics}, because it does not run what it is about.`
    : `${metrics} has more series than this instance remembers.`;
}

function toFinite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
