import { resolve } from 'node:path';
import { type Address, parseAddress } from '../solana/address.ts';
import { type MakersConfig, toMakersConfig } from './settings/groups/makers-settings.ts';
import { type HouseConfig, toHouseConfig } from './settings/groups/house-settings.ts';
import { findVerificationWallet } from './settings/groups/token-settings.ts';
import { type SponsorConfig, toSponsorConfig } from './settings/groups/sponsor-settings.ts';
import { type OutsideConfig, toOutsideConfig } from './settings/groups/outside-settings.ts';
import { type TransportConfig, toTransportConfig } from './settings/groups/transport-settings.ts';
import type { Settings } from './settings/settings.ts';
import { splitProgram } from './settings/groups/loaded-settings.ts';
import { splitAddress } from './settings/kinds/kinds.ts';

const DAY_MS = 86_400_000;

/** The parsed configuration: numbers, URLs and absolute paths in place of texts. */
export interface Config {
  readonly dataDir: string;
  readonly ephemeral: boolean;
  readonly seed: string;
  readonly host: string;
  readonly adminHost: string;
  /** Where transactions are landed by JSON-RPC. Null to land them on the REST port only. */
  readonly landingAddress: { readonly host: string; readonly port: number } | null;
  /** Null: the one that the data folder keeps. */
  readonly adminCredential: string | null;
  /** 0: any free port. */
  readonly restPort: number;
  readonly adminPort: number;
  readonly rpcPort: number;
  readonly wsPort: number;
  readonly slotMs: number;
  /** The number of slots in which a blockhash can be used. */
  readonly blockhashSlots: number;
  /** Whether the example liquidator runs, unless production or an outside RPC forbid it. */
  readonly liquidator: boolean;
  readonly makers: MakersConfig;
  readonly sponsor: SponsorConfig;
  /** The platform fees of the operator. Null when only referrers take fees. */
  readonly house: HouseConfig | null;
  /** The wallet that receives the fee for verifying tokens. Null for the sponsor's wallet. */
  readonly verificationWallet: Address | null;
  readonly transport: TransportConfig;
  /** The outside RPC. Null for the embedded network. */
  readonly outside: OutsideConfig | null;
  readonly logLevel: Settings['log-level'];
  readonly production: boolean;
  readonly programs: readonly { readonly address: Address; readonly file: string }[];
  readonly accountFiles: readonly string[];
  readonly clones: readonly Address[];
  readonly cloneFrom: URL | null;
  readonly keyPrefix: string;
  /** The maximum number of requests without a key in any 60 seconds. With 0, a key is required. */
  readonly keylessLimit: number;
  /** Like `keylessLimit`, for callers on this machine. */
  readonly keylessLocalLimit: number;
  readonly maxRequests: number;
  readonly maxWaitingRequests: number;
  readonly maxEventStreams: number;
  readonly stopDelayMs: number;
  readonly stopTimeoutMs: number;
  /** The receiver of traces. Null to trace nothing. */
  readonly otlpEndpoint: string | null;
  readonly traceShare: number;
  /** An additional address for metrics. Null to serve them on the admin port only. */
  readonly metricsAddress: { readonly host: string; readonly port: number } | null;
  /** The URL of PostgreSQL. Null for a file in the data folder. */
  readonly databaseUrl: string | null;
  /** The URL of Valkey. Null when this is the only instance. */
  readonly valkeyUrl: string | null;
  /** How limits are applied while Valkey does not answer. */
  readonly limits: Settings['limits'];
  /** Null: the one that the data folder keeps. */
  readonly keySecret: string | null;
  /** The maximum lifetime of a member's token in milliseconds. Null when tokens do not expire. */
  readonly memberTokenMs: number | null;
  readonly trustedProxies: readonly string[];
  /** The number of days for which the request log is kept. */
  readonly logDays: number;
  /** Null: none. */
  readonly countryDatabase: string | null;
  /** Null: none. */
  readonly networkDatabase: string | null;
  /** The header with the caller's country, in lower case. Null for none. */
  readonly countryHeader: string | null;
}

/**
 * Converts loaded settings. An empty text that means "none" becomes null.
 *
 * @param cwd - The folder from which relative paths start.
 */
export function toConfig(settings: Settings, cwd: string): Config {
  return {
    dataDir: resolve(cwd, settings['data-dir']),
    ephemeral: settings.ephemeral,
    seed: settings.seed,
    host: settings.host,
    adminHost: settings['admin-host'],
    landingAddress: splitAddress(settings['landing-address']),
    adminCredential: settings['admin-credential'] === '' ? null : settings['admin-credential'],
    restPort: settings['rest-port'],
    adminPort: settings['admin-port'],
    rpcPort: settings['rpc-port'],
    wsPort: settings['ws-port'],
    slotMs: settings['slot-ms'],
    blockhashSlots: settings['blockhash-slots'],
    liquidator: settings.liquidator,
    makers: toMakersConfig(settings, cwd),
    sponsor: toSponsorConfig(settings, cwd),
    house: toHouseConfig(settings),
    verificationWallet: findVerificationWallet(settings),
    transport: toTransportConfig(settings, cwd),
    outside: toOutsideConfig(settings, cwd),
    logLevel: settings['log-level'],
    production: settings.production,
    programs: settings.program.flatMap((text) => {
      const parts = splitProgram(text);
      return parts === null ? [] : [{ address: parts.address, file: resolve(cwd, parts.file) }];
    }),
    accountFiles: settings.account.map((file) => resolve(cwd, file)),
    clones: settings.clone.flatMap((text) => parseAddress(text) ?? []),
    cloneFrom: settings['clone-from'] === '' ? null : new URL(settings['clone-from']),
    keyPrefix: settings['wire-key-prefix'],
    keylessLimit: settings['keyless-limit'],
    keylessLocalLimit:
      settings.production || settings['rpc-url'] !== ''
        ? settings['keyless-limit']
        : settings['keyless-local-limit'],
    maxRequests: settings['max-requests'],
    maxWaitingRequests: settings['max-waiting-requests'],
    maxEventStreams: settings['max-event-streams'],
    stopDelayMs: settings['stop-delay-ms'],
    stopTimeoutMs: settings['stop-timeout-ms'],
    otlpEndpoint: settings['otlp-endpoint'] === '' ? null : settings['otlp-endpoint'],
    traceShare: settings['trace-share'],
    metricsAddress: splitAddress(settings['metrics-address']),
    databaseUrl: settings['database-url'] === '' ? null : settings['database-url'],
    valkeyUrl: settings['valkey-url'] === '' ? null : settings['valkey-url'],
    limits: settings.limits,
    keySecret: settings['key-secret'] === '' ? null : settings['key-secret'],
    memberTokenMs: settings['member-token-days'] === 0 ? null : settings['member-token-days'] * DAY_MS,
    trustedProxies: settings['trusted-proxy'],
    logDays: settings['log-days'],
    countryDatabase: settings['country-database'] === '' ? null : resolve(cwd, settings['country-database']),
    networkDatabase: settings['network-database'] === '' ? null : resolve(cwd, settings['network-database']),
    countryHeader: settings['country-header'] === '' ? null : settings['country-header'].toLowerCase(),
  };
}
