import { resolve } from 'node:path';
import { Type } from 'typebox';
import { file, whole } from './kinds.ts';
import { setting } from './setting.ts';

/** How the REST and the admin port are spoken to. */
export const TRANSPORT_SETTINGS = {
  'tls-cert': file(
    'Certificate of the REST port with its chain, PEM; read again when it changes. With it the port speaks HTTPS, by HTTP/2 or HTTP/1.1.',
  ),
  'tls-key': file('Key of `tls-cert`, PEM; read again when it changes.'),
  'admin-tls-cert': file(
    'Certificate of the admin port with its chain, PEM; read again when it changes. Commands trust this very certificate, and need no key.',
  ),
  'admin-tls-key': file('Key of `admin-tls-cert`, PEM; read again when it changes.'),
  'cors-origin': setting(
    Type.Array(Type.String(), {
      maxItems: 1_000,
      default: [],
      description:
        'Origin of a site whose pages may call the REST port. None: the pages of every site may, because keys are never sent by a browser of itself. Repeatable.',
    }),
    { allowed: 'an origin such as https://wallet.example', accepts: isOrigin },
  ),
  'max-body-bytes': whole(65_536, 1_024, 16_777_216, 'Longest body of a request.'),
  'max-header-bytes': whole(16_384, 2_048, 131_072, 'Longest headers of a request, all together.'),
  'request-timeout-ms': whole(
    15_000,
    100,
    600_000,
    'Time in which a request must have been sent whole; its headers in two thirds of it.',
  ),
  'idle-timeout-ms': whole(72_000, 100, 3_600_000, 'Time after which an idle connection is closed.'),
  'max-connections': whole(
    10_000,
    1,
    1_000_000,
    'Connections of one port, of which each address has a share; where there is no room, idle ones of the most crowded address are closed.',
  ),
};

const FILE_PAIRS = [
  ['tls-cert', 'tls-key'],
  ['admin-tls-cert', 'admin-tls-key'],
] as const;

type FileSetting = (typeof FILE_PAIRS)[number][number];
type NumberSetting =
  | 'max-body-bytes'
  | 'max-header-bytes'
  | 'request-timeout-ms'
  | 'idle-timeout-ms'
  | 'max-connections';
type TransportSettings = Readonly<Record<FileSetting, string>> &
  Readonly<Record<NumberSetting, number>> & { readonly 'cors-origin': readonly string[] };

interface TlsPaths {
  readonly certificate: string;
  readonly key: string;
}

export interface TransportConfig {
  /** Null: plain HTTP/1.1. */
  readonly tls: TlsPaths | null;
  readonly adminTls: TlsPaths | null;
  /** Path of the certificate that commands trust, also where its key is not; null: the admin port speaks plain HTTP. */
  readonly adminCertificate: string | null;
  /** Null: every site. */
  readonly corsOrigins: readonly string[] | null;
  readonly bounds: {
    readonly maxBodyBytes: number;
    readonly maxHeaderBytes: number;
    readonly requestTimeoutMs: number;
    readonly idleTimeoutMs: number;
    readonly maxConnections: number;
  };
}

/** @param cwd that relative paths start from */
export function transportOf(settings: TransportSettings, cwd: string): TransportConfig {
  const tls = (certificate: FileSetting, key: FileSetting) =>
    settings[certificate] === '' || settings[key] === ''
      ? null
      : { certificate: resolve(cwd, settings[certificate]), key: resolve(cwd, settings[key]) };
  const origins = settings['cors-origin'];
  return {
    tls: tls('tls-cert', 'tls-key'),
    adminTls: tls('admin-tls-cert', 'admin-tls-key'),
    adminCertificate: settings['admin-tls-cert'] === '' ? null : resolve(cwd, settings['admin-tls-cert']),
    corsOrigins: origins.length === 0 ? null : origins,
    bounds: {
      maxBodyBytes: settings['max-body-bytes'],
      maxHeaderBytes: settings['max-header-bytes'],
      requestTimeoutMs: settings['request-timeout-ms'],
      idleTimeoutMs: settings['idle-timeout-ms'],
      maxConnections: settings['max-connections'],
    },
  };
}

type Sources = Readonly<Record<string, string>>;

/** Settings that are allowed each by itself, but not together. */
export function transportContradictions(settings: TransportSettings, sources: Sources): string[] {
  return FILE_PAIRS.filter(([name]) => name === 'tls-cert' || settings[name] === '').flatMap((pair) =>
    halfOf(pair, settings, sources),
  );
}

/** What else an instance needs to be started: a command elsewhere has the certificate of its admin port alone. */
export function startContradictions(settings: TransportSettings, sources: Sources): string[] {
  return FILE_PAIRS.flatMap((pair) => halfOf(pair, settings, sources));
}

function halfOf(pair: readonly FileSetting[], settings: TransportSettings, sources: Sources): string[] {
  const given = pair.find((name) => settings[name] !== '');
  const absent = pair.find((name) => settings[name] === '');
  if (given === undefined || absent === undefined) return [];
  return [
    `${given} from ${sources[given]} is ${JSON.stringify(settings[given])}, but allowed is the path of a file only together with ${absent}`,
  ];
}

/** As a browser sends it: no path, no trailing slash. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
