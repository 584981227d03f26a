import { resolve } from 'node:path';
import { Type } from 'typebox';
import { address, isHttpUrl, toTextOrNull } from '../kinds/kinds.ts';
import { setting } from '../kinds/setting.ts';

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
      convert: toTextOrNull,
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
  'metrics-address': address(
    'on which `/metrics` is served to Prometheus, in addition to the admin port. Port 0: any free port. Empty: on the admin port only.',
    'such as 10.0.0.5:9464 or [::1]:9464',
  ),
  'alerts-file': setting(
    Type.String({
      default: '',
      description:
        'File of alert rules in Prometheus’ form, which this instance evaluates over its own metrics. It is read at the start. Empty: the rules of docs/monitoring/alerts.yml.',
    }),
    {
      allowed: 'the path of a file',
      convert: (path, cwd) => (path === '' ? null : resolve(cwd, path)),
    },
  ),
};
