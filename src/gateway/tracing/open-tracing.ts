import type { Telemetry, TelemetryOptions } from './open-telemetry.ts';

/**
 * Opens the tracing of requests. OpenTelemetry takes long to load, so it is only loaded when there is a receiver.
 * @param options - `endpoint` is null if no receiver is configured.
 * @returns null without a receiver
 */
export async function openTracing({
  endpoint,
  share,
  version,
}: Omit<TelemetryOptions, 'endpoint'> & {
  readonly endpoint: string | null;
}): Promise<Telemetry | null> {
  if (endpoint === null) return null;
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry({ endpoint, share, version });
}
