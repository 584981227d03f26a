import { resolve } from 'node:path';
import { isLoopbackHost } from './loopback.ts';
import { file, host, onOrOff, port, whole } from './kinds.ts';

/** How makers connect, and when those that do not fill are taken out of the market. */
export const MAKERS_SETTINGS = {
  'grpc-port': port(50_051, 'Port that market makers connect to by gRPC'),
  'grpc-host': host(
    'Address that the gRPC port listens on. Beyond this machine it needs TLS, or `grpc-plaintext`.',
  ),
  'grpc-plaintext': onOrOff(
    false,
    "Serve gRPC without TLS beyond this machine, behind a proxy that adds it: makers' keys are sent in the clear.",
  ),
  'grpc-tls-cert': file('Certificate of the gRPC port with its chain, PEM; read again when it changes.'),
  'grpc-tls-key': file('Key of `grpc-tls-cert`, PEM; read again when it changes.'),
  'demo-maker': onOrOff(
    true,
    'Run the example of a market maker beside the embedded network; never with `production` or an outside RPC.',
  ),
  'maker-breaker': onOrOff(false, 'Suspend makers that fill too few of the swaps they are offered.'),
  'maker-breaker-window-s': whole(
    3_600,
    1,
    604_800,
    'Seconds that a swap counts for the fill rate of its maker.',
  ),
  'maker-breaker-minimum': whole(10, 1, 1_000, 'Swaps in the window below which no maker is suspended.'),
  'maker-breaker-threshold': whole(50, 1, 100, 'Percent of swaps filled below which a maker is suspended.'),
  'maker-suspension-s': whole(600, 1, 604_800, 'Seconds that a suspension lasts.'),
};

type MakersSettings = {
  readonly 'grpc-port': number;
  readonly 'grpc-host': string;
  readonly 'grpc-plaintext': boolean;
  readonly 'grpc-tls-cert': string;
  readonly 'grpc-tls-key': string;
  readonly 'demo-maker': boolean;
  readonly 'maker-breaker': boolean;
  readonly 'maker-breaker-window-s': number;
  readonly 'maker-breaker-minimum': number;
  readonly 'maker-breaker-threshold': number;
  readonly 'maker-suspension-s': number;
};

export interface MakersConfig {
  /** Whether the example of a maker runs where it may. */
  readonly demo: boolean;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Paths of PEM files; null: plaintext. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  /** Times are milliseconds. */
  readonly breaker: {
    readonly enabled: boolean;
    readonly windowMs: number;
    readonly minimumSwaps: number;
    readonly thresholdPercent: number;
    readonly suspensionMs: number;
  };
}

/** @param cwd that relative paths start from */
export function makersOf(settings: MakersSettings, cwd: string): MakersConfig {
  const certificate = settings['grpc-tls-cert'];
  return {
    demo: settings['demo-maker'],
    host: settings['grpc-host'],
    port: settings['grpc-port'],
    tls:
      certificate === ''
        ? null
        : { certificate: resolve(cwd, certificate), key: resolve(cwd, settings['grpc-tls-key']) },
    breaker: {
      enabled: settings['maker-breaker'],
      windowMs: settings['maker-breaker-window-s'] * 1_000,
      minimumSwaps: settings['maker-breaker-minimum'],
      thresholdPercent: settings['maker-breaker-threshold'],
      suspensionMs: settings['maker-suspension-s'] * 1_000,
    },
  };
}

/** Settings that are allowed each by itself, but not together. */
export function makersContradictions(
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
      `${given} from ${sources[given]} is ${JSON.stringify(settings[given])}, but allowed is the path of a file only together with ${absent}`,
    );
  }
  if (!isLoopbackHost(host) && certificate === '' && !settings['grpc-plaintext']) {
    problems.push(
      `grpc-host from ${sources['grpc-host']} is "${host}", but allowed is an address beyond this machine only together with grpc-tls-cert and grpc-tls-key, or with grpc-plaintext, because makers' keys go over the connection`,
    );
  }
  return problems;
}
