import { BlockList, isIP } from 'node:net';
import { type Static, Type } from 'typebox';
import { DEFAULT_SEED } from '../genesis/keys.ts';
import { type Address, parseAddress } from '../solana/address.ts';
import { WIRE_NAMES } from './wire-names.ts';
import { MAKERS_SETTINGS } from './makers-settings.ts';
import { OUTSIDE_SETTINGS } from './outside-settings.ts';
import { setting } from './setting.ts';
import { SPONSOR_SETTINGS } from './sponsor-settings.ts';
import { TRANSPORT_SETTINGS } from './transport-settings.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const ON_LOSS = ['fail-open', 'fail-closed'] as const;

/** Every setting there is. The command line, the environment, the file and docs/configuration.md follow from it. */
export const SETTINGS = {
  'data-dir': setting(
    Type.String({
      minLength: 1,
      default: '.sluice',
      description:
        "Folder that holds the network's state, the database, the demo wallet's key and the demo API key.",
    }),
    { allowed: 'the path of a folder' },
  ),
  ephemeral: setting(
    Type.Boolean({
      default: false,
      description: 'Keep nothing: use a temporary folder in place of `data-dir` and remove it at the end.',
    }),
    { allowed: 'true or false' },
  ),
  seed: setting(
    Type.String({
      minLength: 1,
      maxLength: 100,
      default: DEFAULT_SEED,
      description: 'What the genesis of the embedded network and all its keys are derived from.',
    }),
    { allowed: 'a text of 1 to 100 characters' },
  ),
  host: setting(
    Type.String({
      default: '127.0.0.1',
      description:
        'Address that the REST, Solana RPC and WebSocket ports listen on. Beyond this machine it needs `admin-credential`.',
    }),
    { allowed: 'an IP address or localhost', accepts: isHost },
  ),
  'admin-host': setting(
    Type.String({
      default: '127.0.0.1',
      description:
        "Address that the admin port listens on. Beyond this machine it needs `admin-credential`; the network's controls for tests answer on loopback all the same.",
    }),
    { allowed: 'an IP address or localhost', accepts: isHost },
  ),
  'admin-credential': setting(
    Type.String({
      default: '',
      description:
        "The operator's credential for the admin interface; commands take a member's token here too. Empty: made at the first start and kept in `data-dir`, where commands on this machine find it.",
    }),
    {
      allowed: 'a text of 32 to 200 visible ASCII characters',
      accepts: (text) => text === '' || /^[\x21-\x7e]{32,200}$/.test(text),
      secret: true,
    },
  ),
  'rest-port': port(8787, 'the REST interface, its documentation and the health checks'),
  'admin-port': port(8788, "the operator's interface"),
  'rpc-port': port(8899, "the embedded network's Solana JSON-RPC"),
  'ws-port': port(8900, "the embedded network's Solana WebSocket subscriptions"),
  'slot-ms': setting(
    Type.Integer({
      minimum: 10,
      maximum: 60_000,
      default: 400,
      description: 'Length of a slot of the embedded network, in milliseconds.',
    }),
    { allowed: 'a whole number from 10 to 60000' },
  ),
  'max-requests': count(
    1_000,
    { minimum: 1, maximum: 100_000 },
    'Requests that are worked on at once; executions of orders, which wait for the network, count apart, up to as many.',
  ),
  'max-waiting-requests': count(
    1_000,
    { minimum: 0, maximum: 100_000 },
    'Requests of each kind that may wait for others to end, for 2 seconds at most; beyond that 503 is the answer.',
  ),
  'stop-delay-ms': count(
    0,
    { minimum: 0, maximum: 300_000 },
    'How long, when told to stop, requests are still taken while `/readyz` says 503 already: as long as a load balancer needs to see it.',
  ),
  'stop-timeout-ms': count(
    30_000,
    { minimum: 0, maximum: 300_000 },
    'How long, when told to stop, requests and executions under way have to end.',
  ),
  'otlp-endpoint': setting(
    Type.String({
      default: '',
      description:
        'Base URL of an OpenTelemetry receiver (OTLP over HTTP) that traces are sent to. Empty: nothing is traced.',
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
      description: 'Share of the requests that are traced, chosen at random.',
    }),
    { allowed: 'a number from 0 to 1' },
  ),
  'metrics-address': setting(
    Type.String({
      default: '',
      description:
        'IP address and port on which `/metrics` is served to Prometheus, besides the admin port; port 0: any free one. Empty: on the admin port only.',
    }),
    {
      allowed: 'an IP address and a port, such as 10.0.0.5:9464 or [::1]:9464',
      accepts: (text) => text === '' || splitAddress(text) !== null,
    },
  ),
  'database-url': setting(
    Type.String({
      default: '',
      description:
        'PostgreSQL that organisations, keys, makers, swaps with makers, the audit log and the request log are kept in. Empty: files in `data-dir`.',
    }),
    {
      allowed: 'a postgres or postgresql URL',
      accepts: (url) => url === '' || isUrlOf(url, ['postgres:', 'postgresql:']),
      secret: true,
      alias: 'DATABASE_URL',
    },
  ),
  'valkey-url': setting(
    Type.String({
      default: '',
      description:
        'Valkey or Redis in which instances count requests together and share the orders that they give out. Empty: each instance by itself.',
    }),
    {
      allowed: 'a valkey, valkeys, redis or rediss URL',
      accepts: (url) => url === '' || isUrlOf(url, ['valkey:', 'valkeys:', 'redis:', 'rediss:']),
      secret: true,
      alias: 'VALKEY_URL',
    },
  ),
  limits: setting(
    Type.Union(
      ON_LOSS.map((choice) => Type.Literal(choice)),
      {
        default: 'fail-open',
        description:
          'While Valkey does not answer: count in each instance alone (`fail-open`), or refuse with 503 what would be counted (`fail-closed`).',
      },
    ),
    { allowed: `one of ${ON_LOSS.join(', ')}` },
  ),
  'key-secret': setting(
    Type.String({
      default: '',
      description:
        'What API keys are hashed with: the same for every instance on one database. Empty: made at the first start and kept in `data-dir`.',
    }),
    {
      allowed: 'a text of 32 to 200 characters',
      accepts: (secret) => secret === '' || (secret.length >= 32 && secret.length <= 200),
      secret: true,
    },
  ),
  'member-token-days': count(
    90,
    { minimum: 0, maximum: 3_660 },
    "Days for which a member's token for the admin interface works at most, from when it is made. 0: for ever.",
  ),
  'trusted-proxy': setting(
    list(
      'Address or network of a proxy whose `x-forwarded-for` is believed; the limits of callers without a key go by it.',
    ),
    {
      allowed: 'an IP address, or a network such as 10.0.0.0/8, but not every address there is',
      accepts: isNetwork,
    },
  ),
  'country-database': setting(
    Type.String({
      default: '',
      description:
        'File of the MaxMind format (.mmdb) in which firewall rules look up the country of an address. Read at the start. Empty: none.',
    }),
    { allowed: 'the path of a file' },
  ),
  'country-header': setting(
    Type.String({
      default: '',
      description:
        'Header in which a trusted proxy tells the country of the caller, as two capital letters; it goes before the database. Empty: none.',
    }),
    { allowed: "a header's name", accepts: (name) => /^[A-Za-z0-9-]{0,64}$/.test(name) },
  ),
  'log-days': setting(
    Type.Integer({
      minimum: 1,
      maximum: 3_660,
      default: 184,
      description: 'Days that the request log, usage and analytics are kept.',
    }),
    { allowed: 'a whole number from 1 to 3660' },
  ),
  'log-level': setting(
    Type.Union(
      LOG_LEVELS.map((level) => Type.Literal(level)),
      { default: 'info', description: 'Least severity that is logged, as JSON lines on standard error.' },
    ),
    { allowed: `one of ${LOG_LEVELS.join(', ')}` },
  ),
  production: setting(
    Type.Boolean({
      default: false,
      description:
        'Refuse everything that is there for tests: moving the clock, faults, snapshots and the faucet.',
    }),
    { allowed: 'true or false' },
  ),
  program: setting(
    list('Put another program, such as a dump of the public one, under an address of the embedded network.'),
    {
      allowed: 'ADDRESS=FILE.so',
      accepts: (text) => splitProgram(text) !== null,
    },
  ),
  account: setting(
    list(
      'Load an account into the embedded network, in the form that `solana account --output json` writes.',
    ),
    { allowed: 'the path of a JSON file', accepts: (file) => file !== '' },
  ),
  clone: setting(list('Copy an account, or a program with its data, from the network of `clone-from`.'), {
    allowed: 'a Solana address',
    accepts: (text) => parseAddress(text) !== null,
  }),
  'clone-from': setting(
    Type.String({ default: '', description: 'Solana RPC that `clone` copies from. Empty: none.' }),
    { allowed: 'an http or https URL', accepts: (url) => url === '' || isHttpUrl(url), secret: true },
  ),
  ...TRANSPORT_SETTINGS,
  ...MAKERS_SETTINGS,
  ...SPONSOR_SETTINGS,
  ...OUTSIDE_SETTINGS,
  'wire-key-prefix': setting(
    Type.String({
      pattern: '^[a-z][a-z0-9]{0,15}_$',
      default: WIRE_NAMES['wire-key-prefix'],
      description: 'What every API key begins with.',
    }),
    { allowed: 'a lowercase letter, at most 15 more lowercase letters and digits, and an underscore' },
  ),
};

export type SettingName = keyof typeof SETTINGS;
export type Settings = { readonly [Name in SettingName]: Static<(typeof SETTINGS)[Name]['schema']> };

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The parts of `ADDRESS=FILE`, or null when it is not of that form. */
export function splitProgram(text: string): { readonly address: Address; readonly file: string } | null {
  const equals = text.indexOf('=');
  const address = parseAddress(text.slice(0, Math.max(equals, 0)));
  const file = text.slice(equals + 1);
  return address === null || file === '' ? null : { address, file };
}

/** The parts of `ADDRESS:PORT`, brackets around an IPv6 address taken off, or null when it is not of that form. */
export function splitAddress(text: string): { readonly host: string; readonly port: number } | null {
  const [, v6, v4, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? v4 ?? '';
  const number = Number(digits);
  return isIP(host) === (v6 === undefined ? 4 : 6) && number <= 65_535 ? { host, port: number } : null;
}

function count(
  number: number,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  description: string,
) {
  return setting(Type.Integer({ minimum, maximum, default: number, description }), {
    allowed: `a whole number from ${minimum} to ${maximum}`,
  });
}

function port(number: number, what: string) {
  return setting(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: number,
      description: `Port of ${what}. 0: any free one.`,
    }),
    { allowed: 'a whole number from 0 to 65535' },
  );
}

function list(description: string) {
  return Type.Array(Type.String(), {
    maxItems: 1_000,
    default: [],
    description: `${description} Repeatable.`,
  });
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || text === 'localhost';
}

function isHttpUrl(text: string): boolean {
  return isUrlOf(text, ['http:', 'https:']);
}

function isUrlOf(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/** What the IPv4 addresses are when they are written as IPv6 addresses. */
const MAPPED_BITS = 96;
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', MAPPED_BITS, 'ipv6');

function isNetwork(text: string): boolean {
  const [, address = '', length] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || length === undefined) return version !== 0;
  // Where everybody is a proxy, everybody may be who they like.
  const least = version === 6 && mapped.check(address, 'ipv6') ? MAPPED_BITS + 1 : 1;
  return Number(length) >= least && Number(length) <= (version === 4 ? 32 : 128);
}
