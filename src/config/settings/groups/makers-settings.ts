import { resolve } from 'node:path';
import { isLoopbackHost } from '../kinds/loopback.ts';
import { file, host, onOrOff, port, whole } from '../kinds/kinds.ts';

/** How makers connect, and when makers that fill too few swaps are suspended. */
export const MAKERS_SETTINGS = {
  'grpc-port': port(50_051, 'Port that market makers connect to, over gRPC'),
  'grpc-host': host(
    'Address that the gRPC port listens on. An address beyond this machine requires TLS or `grpc-plaintext`.',
  ),
  'grpc-plaintext': onOrOff(
    false,
    "Serve gRPC without TLS beyond this machine. Use it only behind a proxy that terminates TLS, because makers' keys are sent in the clear.",
  ),
  'grpc-tls-cert': file(
    'PEM file with the certificate chain of the gRPC port. It is read again when it changes.',
  ),
  'grpc-tls-key': file('PEM file with the key of `grpc-tls-cert`. It is read again when it changes.'),
  'demo-maker': onOrOff(
    true,
    'Run the example market maker beside the embedded network. It never runs with `production` or `rpc-url`.',
  ),
  'webhook-quote-ms': whole(
    250,
    10,
    30_000,
    'Milliseconds that makers with a webhook have for a quote. Orders wait for them. More than 500 is for a maker under a debugger.',
  ),
  'webhook-private-addresses': onOrOff(
    false,
    "Let makers' webhooks be at private addresses, and without TLS. Without `production` they always may.",
  ),
  'maker-breaker': onOrOff(false, 'Suspend makers that fill too few of the swaps that they are offered.'),
  'maker-breaker-window-s': whole(
    3_600,
    1,
    604_800,
    "Seconds for which a swap counts towards its maker's fill rate.",
  ),
  'maker-breaker-minimum': whole(
    10,
    1,
    1_000,
    'A maker with fewer swaps than this in the window is not suspended.',
  ),
  'maker-breaker-threshold': whole(
    50,
    1,
    100,
    'A maker that fills less than this percentage of its swaps is suspended.',
  ),
  'maker-suspension-s': whole(600, 1, 604_800, 'Seconds for which a suspension lasts.'),
};

type MakersSettings = {
  readonly 'grpc-port': number;
  readonly 'grpc-host': string;
  readonly 'grpc-plaintext': boolean;
  readonly 'grpc-tls-cert': string;
  readonly 'grpc-tls-key': string;
  readonly 'demo-maker': boolean;
  readonly 'webhook-quote-ms': number;
  readonly 'webhook-private-addresses': boolean;
  readonly 'maker-breaker': boolean;
  readonly 'maker-breaker-window-s': number;
  readonly 'maker-breaker-minimum': number;
  readonly 'maker-breaker-threshold': number;
  readonly 'maker-suspension-s': number;
};

export interface MakersConfig {
  /** Whether the example maker runs, unless production or an outside RPC forbid it. */
  readonly demo: boolean;
  readonly host: string;
  /** The port of the gRPC interface. 0 selects a free port. */
  readonly port: number;
  /** The paths of PEM files. Null for plaintext. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  /** How quotes are requested from makers with a webhook. */
  readonly webhooks: { readonly quoteMs: number; readonly privateAddresses: boolean };
  /** When makers that fill too few swaps are suspended. Times are milliseconds. */
  readonly breaker: {
    readonly enabled: boolean;
    readonly windowMs: number;
    readonly minimumSwaps: number;
    readonly thresholdPercent: number;
    readonly suspensionMs: number;
  };
}

/** @param cwd - The folder from which relative paths start. */
export function toMakersConfig(settings: MakersSettings, cwd: string): MakersConfig {
  const certificate = settings['grpc-tls-cert'];
  return {
    demo: settings['demo-maker'],
    host: settings['grpc-host'],
    port: settings['grpc-port'],
    tls:
      certificate === ''
        ? null
        : { certificate: resolve(cwd, certificate), key: resolve(cwd, settings['grpc-tls-key']) },
    webhooks: {
      quoteMs: settings['webhook-quote-ms'],
      privateAddresses: settings['webhook-private-addresses'],
    },
    breaker: {
      enabled: settings['maker-breaker'],
      windowMs: settings['maker-breaker-window-s'] * 1_000,
      minimumSwaps: settings['maker-breaker-minimum'],
      thresholdPercent: settings['maker-breaker-threshold'],
      suspensionMs: settings['maker-suspension-s'] * 1_000,
    },
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
