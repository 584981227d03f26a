import { resolve } from 'node:path';
import { isLoopbackHost } from '../kinds/loopback.ts';
import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { file, host, onOrOff, port, whole } from '../kinds/kinds.ts';
import { setField } from '../kinds/setting.ts';

const CONNECTION_SETTINGS = {
  'grpc-port': setField('port', port(50_051, 'Port that market makers connect to, over gRPC')),
  'grpc-host': setField(
    'host',
    host(
      'Address that the gRPC port listens on. An address beyond this machine requires TLS or `grpc-plaintext`.',
    ),
  ),
  'grpc-plaintext': setField(
    null,
    onOrOff(
      false,
      "Serve gRPC without TLS beyond this machine. Use it only behind a proxy that terminates TLS, because makers' keys are sent in the clear.",
    ),
  ),
  'grpc-tls-cert': setField(
    null,
    file('PEM file with the certificate chain of the gRPC port. It is read again when it changes.'),
  ),
  'grpc-tls-key': setField(
    null,
    file('PEM file with the key of `grpc-tls-cert`. It is read again when it changes.'),
  ),
  'demo-maker': setField(
    'demo',
    onOrOff(
      true,
      'Run the example market maker beside the embedded network. It never runs with `production` or `rpc-url`.',
    ),
  ),
};

/** How quotes are requested from makers with a webhook. */
const WEBHOOK_SETTINGS = {
  'webhook-quote-ms': setField(
    'quoteMs',
    whole(
      250,
      10,
      30_000,
      'Milliseconds that makers with a webhook have for a quote. Orders wait for them. More than 500 is for a maker under a debugger.',
    ),
  ),
  'webhook-private-addresses': setField(
    'privateAddresses',
    onOrOff(
      false,
      "Let makers' webhooks be at private addresses, and without TLS. Without `production` they always may.",
    ),
  ),
};

/** When makers that fill too few swaps are suspended. */
const BREAKER_SETTINGS = {
  'maker-breaker': setField(
    'enabled',
    onOrOff(false, 'Suspend makers that fill too few of the swaps that they are offered.'),
  ),
  'maker-breaker-window-s': setField(
    'windowMs',
    whole(3_600, 1, 604_800, "Seconds for which a swap counts towards its maker's fill rate."),
    toMilliseconds,
  ),
  'maker-breaker-minimum': setField(
    'minimumSwaps',
    whole(10, 1, 1_000, 'A maker with fewer swaps than this in the window is not suspended.'),
  ),
  'maker-breaker-threshold': setField(
    'thresholdPercent',
    whole(50, 1, 100, 'A maker that fills less than this percentage of its swaps is suspended.'),
  ),
  'maker-suspension-s': setField(
    'suspensionMs',
    whole(600, 1, 604_800, 'Seconds for which a suspension lasts.'),
    toMilliseconds,
  ),
};

/** How makers connect, and when makers that fill too few swaps are suspended. */
export const MAKERS_SETTINGS = { ...CONNECTION_SETTINGS, ...WEBHOOK_SETTINGS, ...BREAKER_SETTINGS };

type MakersSettings = SettingValues<typeof MAKERS_SETTINGS>;

export type MakersConfig = SettingFields<typeof CONNECTION_SETTINGS> & {
  /** The paths of PEM files. Null for plaintext. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  readonly webhooks: SettingFields<typeof WEBHOOK_SETTINGS>;
  readonly breaker: SettingFields<typeof BREAKER_SETTINGS>;
};

/** @param cwd - The folder from which relative paths start. */
export function toMakersConfig(settings: MakersSettings, cwd: string): MakersConfig {
  const certificate = settings['grpc-tls-cert'];
  return {
    ...toFields(CONNECTION_SETTINGS, settings, cwd),
    tls:
      certificate === ''
        ? null
        : { certificate: resolve(cwd, certificate), key: resolve(cwd, settings['grpc-tls-key']) },
    webhooks: toFields(WEBHOOK_SETTINGS, settings, cwd),
    breaker: toFields(BREAKER_SETTINGS, settings, cwd),
  };
}

/** Returns the contradictions between these settings, one sentence each. */
export function findMakersContradictions(
  settings: MakersSettings,
  sources: Readonly<Record<string, string>>,
): string[] {
  const { 'grpc-tls-cert': certificate, 'grpc-tls-key': key, 'grpc-host': host } = settings;
  const problems: string[] = [];
  if ((certificate === '') !== (key === '')) {
    const [given, absent] =
      certificate === ''
        ? (['grpc-tls-key', 'grpc-tls-cert'] as const)
        : (['grpc-tls-cert', 'grpc-tls-key'] as const);
    problems.push(
      `${given} from ${sources[given]} is ${JSON.stringify(settings[given])}, but must be the path of a file, given together with ${absent}`,
    );
  }
  if (!isLoopbackHost(host) && certificate === '' && !settings['grpc-plaintext']) {
    problems.push(
      `grpc-host from ${sources['grpc-host']} is "${host}", but an address beyond this machine requires grpc-tls-cert and grpc-tls-key, or grpc-plaintext, because makers' keys are sent over the connection`,
    );
  }
  return problems;
}

function toMilliseconds(seconds: number): number {
  return seconds * 1_000;
}
