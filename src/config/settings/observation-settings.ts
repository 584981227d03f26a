import { isIP } from 'node:net';
import { Type } from 'typebox';
import { isHttpUrl } from './kinds.ts';
import { setting } from './setting.ts';

/** Traces and metrics. */
export const OBSERVATION_SETTINGS = {
  'otlp-endpoint': setting(
    Type.String({
      default: '',
      description:
        'Base URL of the OpenTelemetry receiver (OTLP over HTTP) that traces are sent to. Empty: nothing is traced.',
    }),
    {
      allowed: 'an http or https URL',
      accepts: (url) => url === '' || isHttpUrl(url),
      secret: true,
      alias: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    },
  ),
  'trace-share': setting(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 1,
      description: 'Share of requests that are traced, chosen at random.',
    }),
    { allowed: 'a number from 0 to 1' },
  ),
  'metrics-address': setting(
    Type.String({
      default: '',
      description:
        'IP address and port on which `/metrics` is served to Prometheus, in addition to the admin port. Port 0: any free port. Empty: on the admin port only.',
    }),
    {
      allowed: 'an IP address and a port, such as 10.0.0.5:9464 or [::1]:9464',
      accepts: (text) => text === '' || splitAddress(text) !== null,
    },
  ),
};

/** @returns the parts of `ADDRESS:PORT`, without the brackets of an IPv6 address; null when the text has another form */
export function splitAddress(text: string): { readonly host: string; readonly port: number } | null {
  const [, v6, v4, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? v4 ?? '';
  const number = Number(digits);
  return isIP(host) === (v6 === undefined ? 4 : 6) && number <= 65_535 ? { host, port: number } : null;
}
