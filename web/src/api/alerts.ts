import { useQuery } from '@tanstack/react-query';
import { type AdminAnswer, callAdminOperation } from './admin-operations.ts';
import { useCredentialGeneration } from './credentials.ts';
import { useInstance } from './instance.ts';

/** The alerts of the instance, as it last evaluated them. */
export type AlertsAnswer = AdminAnswer<'GET /admin/v1/alerts'>;
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
    queryFn: () => callAdminOperation('GET /admin/v1/alerts', {}),
    enabled: isAllowed && instance?.port === 'admin',
    refetchInterval: EVERY_MS,
  });
}

/** Reads the values that an alert compared in the last hour. */
export function useAlertHistory(alert: string) {
  const generation = useCredentialGeneration();
  return useQuery({
    queryKey: ['admin', 'alerts', generation, 'history', alert],
    queryFn: () => callAdminOperation('GET /admin/v1/alerts/{alert}/history', { path: { alert } }),
    refetchInterval: EVERY_MS,
  });
}
