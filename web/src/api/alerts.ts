import { useQuery } from '@tanstack/react-query';
import { type ShapeReader, type ShapeValue, shape } from '../base/json-shape.ts';
import { callAdminOperation } from './admin-operations.ts';
import { useCredentialGeneration } from './credentials.ts';
import { useInstance } from './instance.ts';
import { readAnswer } from './read-answer.ts';

const readLabels: ShapeReader<Readonly<Record<string, string>>> = (value) =>
  Object.fromEntries(shape.record(shape.text)(value));
/** Null: it is not a finite number. */
const readValue = shape.nullable(shape.number);

const readAlert = shape.object({
  name: shape.text,
  severity: shape.nullable(shape.text),
  state: shape.text,
  expression: shape.text,
  for: shape.number,
  range: shape.number,
  wholeFrom: shape.nullable(shape.number),
  threshold: shape.nullable(shape.object({ operator: shape.text, value: shape.number })),
  runbook: shape.nullable(shape.text),
  reason: shape.nullable(shape.object({ text: shape.text, from: shape.nullable(shape.number) })),
  lastFiredAt: shape.nullable(shape.number),
  active: shape.list(
    shape.object({
      labels: readLabels,
      value: readValue,
      state: shape.text,
      activeAt: shape.number,
      firingAt: shape.nullable(shape.number),
      summary: shape.text,
    }),
  ),
  activeCount: shape.number,
  readings: shape.list(shape.object({ labels: readLabels, value: readValue })),
});

const readAlerts = shape.object({
  source: shape.text,
  every: shape.number,
  evaluatedAt: shape.nullable(shape.number),
  sampledSince: shape.nullable(shape.number),
  counts: shape.object({
    firing: shape.number,
    pending: shape.number,
    quiet: shape.number,
    unknown: shape.number,
  }),
  alerts: shape.list(readAlert),
});

const readAlertHistory = shape.object({
  curves: shape.list(
    shape.object({
      labels: readLabels,
      points: shape.list(shape.object({ at: shape.number, value: readValue })),
    }),
  ),
});

/** The alerts of the instance, as it last evaluated them. */
export type AlertsAnswer = ShapeValue<typeof readAlerts>;
/** One alert of the instance. */
export type InstanceAlert = AlertsAnswer['alerts'][number];

/** The instance evaluates its alerts as often. */
const EVERY_MS = 15_000;

/**
 * Reads the alerts of the instance, as often as it evaluates them.
 * @param isAllowed - Whether the person may read them. Default: true, and the server refuses otherwise.
 */
export function useAlerts(isAllowed = true) {
  const generation = useCredentialGeneration();
  const { data: instance } = useInstance();
  return useQuery({
    queryKey: ['admin', 'alerts', generation],
    queryFn: async () =>
      readAnswer('the alerts', readAlerts, await callAdminOperation('GET /admin/v1/alerts', {})),
    enabled: isAllowed && instance?.port === 'admin',
    refetchInterval: EVERY_MS,
  });
}

/** Reads the values that an alert compared in the last hour. */
export function useAlertHistory(alert: string) {
  const generation = useCredentialGeneration();
  return useQuery({
    queryKey: ['admin', 'alerts', generation, 'history', alert],
    queryFn: async () =>
      readAnswer(
        'the values of the alert',
        readAlertHistory,
        await callAdminOperation('GET /admin/v1/alerts/{alert}/history', { path: { alert } }),
      ),
    refetchInterval: EVERY_MS,
  });
}
