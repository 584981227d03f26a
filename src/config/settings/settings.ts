import { BlockList, isIP } from 'node:net';
import { type Static, Type } from 'typebox';
import { DEFAULT_SEED } from '../../genesis/keys.ts';
import { WIRE_NAMES } from './wire-names.ts';
import { file, host, onOrOff, port, repeatable, whole } from './kinds.ts';
import { LOADED_SETTINGS } from './loaded-settings.ts';
import { MAKERS_SETTINGS } from './makers-settings.ts';
import { OBSERVATION_SETTINGS } from './observation-settings.ts';
import { OUTSIDE_SETTINGS } from './outside-settings.ts';
import { setting } from './setting.ts';
import { SPONSOR_SETTINGS } from './sponsor-settings.ts';
import { STATE_SETTINGS } from './state-settings.ts';
import { TRANSPORT_SETTINGS } from './transport-settings.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

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
  ephemeral: onOrOff(
    false,
    'Keep nothing: use a temporary folder in place of `data-dir` and remove it at the end.',
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
  host: host(
    'Address that the REST, Solana RPC and WebSocket ports listen on. Beyond this machine it needs `admin-credential`.',
  ),
  'admin-host': host(
    "Address that the admin port listens on. Beyond this machine it needs `admin-credential`; the network's controls for tests answer on loopback all the same.",
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
  'rest-port': port(8787, 'Port of the REST interface, its documentation and the health checks'),
  'admin-port': port(8788, "Port of the operator's interface"),
  'rpc-port': port(8899, "Port of the embedded network's Solana JSON-RPC"),
  'ws-port': port(8900, "Port of the embedded network's Solana WebSocket subscriptions"),
  'slot-ms': whole(400, 10, 60_000, 'Length of a slot of the embedded network, in milliseconds.'),
  'max-requests': whole(
    1_000,
    1,
    100_000,
    'Requests that are worked on at once, of which each caller has a share; executions of orders, which wait for the network, count separately, up to as many.',
  ),
  'max-waiting-requests': whole(
    1_000,
    0,
    100_000,
    'Requests of each kind that may wait for others to end, for 2 seconds at most; beyond that 503 is the answer.',
  ),
  'stop-delay-ms': whole(
    0,
    0,
    300_000,
    'How long, when told to stop, requests are still taken while `/readyz` says 503 already: as long as a load balancer needs to see it.',
  ),
  'stop-timeout-ms': whole(
    30_000,
    0,
    300_000,
    'How long, when told to stop, requests and executions under way have to end.',
  ),
  ...OBSERVATION_SETTINGS,
  ...STATE_SETTINGS,
  'trusted-proxy': setting(
    repeatable(
      'Address or network of a proxy whose `x-forwarded-for` is believed; the limits of callers without a key go by it.',
    ),
    {
      allowed: 'an IP address, or a network such as 10.0.0.0/8, but not every address there is',
      accepts: isNetwork,
    },
  ),
  'country-database': file(
    'File of the MaxMind format (.mmdb) in which firewall rules look up the country of an address. Read at the start.',
  ),
  'country-header': setting(
    Type.String({
      default: '',
      description:
        'Header in which a trusted proxy tells the country of the caller, as two capital letters; it goes before the database. Empty: none.',
    }),
    { allowed: "a header's name", accepts: (name) => /^[A-Za-z0-9-]{0,64}$/.test(name) },
  ),
  'log-days': whole(184, 1, 3_660, 'Days that the request log, usage and analytics are kept.'),
  'log-level': setting(
    Type.Union(
      LOG_LEVELS.map((level) => Type.Literal(level)),
      { default: 'info', description: 'Least severity that is logged, as JSON lines on standard error.' },
    ),
    { allowed: `one of ${LOG_LEVELS.join(', ')}` },
  ),
  production: onOrOff(
    false,
    'Refuse everything that is there for tests: moving the clock, faults, snapshots and the faucet.',
  ),
  ...LOADED_SETTINGS,
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
