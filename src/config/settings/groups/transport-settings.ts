import { resolve } from 'node:path';
import { Type } from 'typebox';
import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { file, whole } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

const ACCESS_SETTINGS = {
  'tls-cert': setField(
    'restCertificate',
    file(
      'PEM file with the certificate chain of the REST port. It is read again when it changes. With it, the port serves HTTPS over HTTP/2 and HTTP/1.1. Commands that call this port trust exactly this certificate, and do not need its key.',
    ),
  ),
  'tls-key': setField(null, file('PEM file with the key of `tls-cert`. It is read again when it changes.')),
  'admin-tls-cert': setField(
    'adminCertificate',
    file(
      'PEM file with the certificate chain of the admin port. It is read again when it changes. Commands trust exactly this certificate, and do not need its key.',
    ),
  ),
  'admin-tls-key': setField(
    null,
    file('PEM file with the key of `admin-tls-cert`. It is read again when it changes.'),
  ),
  'cors-origin': setting(
    Type.Array(Type.String(), {
      maxItems: 1_000,
      default: [],
      description:
        'Origin of a site whose pages may call the REST port. None: the pages of every site may, because a browser never sends an API key on its own. Repeatable.',
    }),
    {
      allowed: 'an origin such as https://wallet.example',
      accepts: isOrigin,
      field: 'corsOrigins',
      convert: (origins) => (origins.length === 0 ? null : origins),
    },
  ),
};

/** The bounds of the REST and the admin port. */
const BOUND_SETTINGS = {
  // The largest body of any product contains a few transactions of 1,232 bytes in base64.
  'max-body-bytes': whole(65_536, 1_024, 16_777_216, 'Largest body of a request, in bytes.'),
  // Lists of addresses lead to request lines of up to 16 kB. The rest is for the headers.
  'max-header-bytes': whole(
    24_576,
    2_048,
    131_072,
    'Largest total size of the request line and the headers of a request, in bytes.',
  ),
  'request-timeout-ms': whole(
    15_000,
    100,
    600_000,
    'Milliseconds within which a whole request must arrive. Its headers must arrive within two thirds of this time.',
  ),
  'idle-timeout-ms': whole(72_000, 100, 3_600_000, 'Milliseconds after which an idle connection is closed.'),
  'max-connections': whole(
    10_000,
    1,
    1_000_000,
    'Connections of one port, of which each address has a share. When the limit is reached, idle connections of the address with the most are closed.',
  ),
};

/** TLS, CORS and the bounds of the REST and the admin port. */
export const TRANSPORT_SETTINGS = { ...ACCESS_SETTINGS, ...BOUND_SETTINGS };

const FILE_PAIRS = [
  ['tls-cert', 'tls-key'],
  ['admin-tls-cert', 'admin-tls-key'],
] as const;

type FileSetting = (typeof FILE_PAIRS)[number][number];
type TransportSettings = SettingValues<typeof TRANSPORT_SETTINGS>;

interface TlsPaths {
  readonly certificate: string;
  readonly key: string;
}

export type TransportConfig = SettingFields<typeof ACCESS_SETTINGS> & {
  /** The certificate and key of the REST port. Null for plain HTTP/1.1. */
  readonly tls: TlsPaths | null;
  readonly adminTls: TlsPaths | null;
  readonly bounds: SettingFields<typeof BOUND_SETTINGS>;
};

/** @param cwd - The folder from which relative paths start. */
export function toTransportConfig(settings: TransportSettings, cwd: string): TransportConfig {
  const tls = (certificate: FileSetting, key: FileSetting) =>
    settings[certificate] === '' || settings[key] === ''
      ? null
      : { certificate: resolve(cwd, settings[certificate]), key: resolve(cwd, settings[key]) };
  return {
    ...toFields(ACCESS_SETTINGS, settings, cwd),
    tls: tls('tls-cert', 'tls-key'),
    adminTls: tls('admin-tls-cert', 'admin-tls-key'),
    bounds: toFields(BOUND_SETTINGS, settings, cwd),
  };
}

type Sources = Readonly<Record<string, string>>;

/** Returns the contradictions between these settings, one sentence each. */
export function findTransportContradictions(settings: TransportSettings, sources: Sources): string[] {
  return FILE_PAIRS.filter(([name]) => settings[name] === '').flatMap((pair) =>
    missingHalves(pair, settings, sources),
  );
}

/**
 * Checks that each certificate has its key. Only `sluice start` requires that: a command on another machine may have the
 * certificate alone.
 *
 * Returns the problems, one sentence each.
 */
export function findUnpairedFiles(settings: TransportSettings, sources: Sources): string[] {
  return FILE_PAIRS.flatMap((pair) => missingHalves(pair, settings, sources));
}

function missingHalves(
  pair: readonly FileSetting[],
  settings: TransportSettings,
  sources: Sources,
): string[] {
  const given = pair.find((name) => settings[name] !== '');
  const absent = pair.find((name) => settings[name] === '');
  if (given === undefined || absent === undefined) return [];
  return [
    `${given} from ${sources[given]} is ${JSON.stringify(settings[given])}, but must be the path of a file, given together with ${absent}`,
  ];
}

/** Whether the text is an origin as a browser sends it, without a path or a trailing slash. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
