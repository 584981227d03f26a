import { resolve } from 'node:path';
import { Type } from 'typebox';
import { parseAddress } from '../../../solana/address.ts';
import { formatUnlessSecret } from '../../problems/problems.ts';
import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { milliseconds, onOrOff, repeatable, whole } from '../kinds/kinds.ts';
import { getDefault, setField, type Setting, setting } from '../kinds/setting.ts';

/** How to run over an outside RPC instead of the embedded network. */
export const OUTSIDE_SETTINGS = {
  'rpc-url': setting(
    Type.String({
      default: '',
      description:
        'Solana RPC of the network to run on, see docs/outside-rpc.md. Empty: the embedded network.',
    }),
    {
      allowed: 'an http or https URL without user name and password',
      accepts: (url) => url === '' || isUrl(url, ['http:', 'https:']),
      secret: true,
      field: 'url',
      convert: (url) => new URL(url),
    },
  ),
  'rpc-ws-url': setting(
    Type.String({
      default: '',
      description:
        'WebSocket of `rpc-url`. Empty: the same host over ws or wss; if `rpc-url` has a port, the next higher port.',
    }),
    {
      allowed: 'a ws or wss URL without user name and password',
      accepts: (url) => url === '' || isUrl(url, ['ws:', 'wss:']),
      secret: true,
      field: null,
    },
  ),
  'rpc-send-url': setting(
    repeatable(
      'Solana RPC of another node of the same network, through which transactions are landed too, beside `rpc-url`. Nothing else is asked of it.',
      8,
    ),
    {
      allowed: 'an http or https URL without user name and password',
      accepts: (url) => isUrl(url, ['http:', 'https:']),
      secret: true,
      field: 'sendUrls',
      convert: (urls) => urls.map((url) => new URL(url)),
    },
  ),
  'rpc-pool': setField(
    'pools',
    addressesOrFiles(
      'Address of a pool, or a file with one address per line. If given, Sluice uses only these pools, and does not ask the RPC for all accounts of a program.',
    ),
  ),
  'rpc-lookup-table': setField(
    'lookupTables',
    addressesOrFiles(
      'Address of a lookup table that transactions may use on the network of `rpc-url`, or a file with one address per line.',
    ),
  ),
  'rpc-ethena-vault': setting(
    repeatable(
      'Id of a vault of the vaults program that belongs to the borrow market `ethena`, where it is numbered by its place in this list. All other vaults belong to `main`.',
      1_000,
    ),
    {
      allowed: 'a whole number from 1 to 65535',
      accepts: (text) => /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535,
      field: 'ethenaVaults',
      convert: (ids) => ids.map(Number),
    },
  ),
  'rpc-rare-searches': setField(
    'searchesRare',
    onOrOff(
      false,
      'Search for positions that few wallets have in every portfolio. Each kind costs a call of getProgramAccounts. Without it, they are searched for when `platforms` names their platform.',
    ),
  ),
  'rpc-poll-ms': setField(
    'pollMs',
    milliseconds(
      1_000,
      20,
      60_000,
      'between requests to `rpc-url` for slots, blockhash and clock, and for accounts without a subscription',
    ),
  ),
  'rpc-stale-ms': setField(
    'staleMs',
    milliseconds(
      15_000,
      200,
      600_000,
      'after which the last answer of `rpc-url` is out of date and swaps are answered with 503',
    ),
  ),
  'rpc-sweep-ms': setField(
    'sweepMs',
    milliseconds(
      30_000,
      200,
      3_600_000,
      'between two reads of all accounts that pools depend on, in case a subscription goes silent',
    ),
  ),
  'rpc-max-subscriptions': setField(
    'maxSubscriptions',
    whole(
      1_000,
      1,
      1_000_000,
      'Subscriptions that the WebSocket accepts. Further accounts are read every `rpc-poll-ms` instead.',
    ),
  ),
  'rpc-calls-per-second': setField(
    'callsPerSecond',
    whole(
      400,
      5,
      100_000,
      'Calls to `rpc-url`, and to each `rpc-send-url`, in a second. One organisation, all callers without a key together, and the reads of Sluice itself may make half of them each.',
    ),
  ),
  'rpc-portal-calls': setField(
    'portalCalls',
    whole(
      120,
      0,
      100_000,
      'Calls of an outside RPC that pages of the portal may cause in any 60 seconds: one caller a third of them, all callers without a key two thirds. Pages of the admin port have as many of their own. 0: none.',
    ),
  ),
  'rpc-transactions-per-second': setField(
    'transactionsPerSecond',
    whole(
      3,
      0,
      10_000,
      'Transactions that are read in a second, each with a call of getTransaction, to see the trades of an outside RPC. 0 follows none.',
    ),
  ),
};

const ONLY_OUTSIDE = Object.keys(OUTSIDE_SETTINGS).filter((name) => name !== 'rpc-url');
/** The settings that only have a meaning for the embedded network. */
const ONLY_EMBEDDED = ['seed', 'slot-ms', 'rpc-port', 'ws-port', 'program', 'account', 'clone', 'clone-from'];

/** How the outside RPC is reached and read. */
export type OutsideConfig = SettingFields<typeof OUTSIDE_SETTINGS> & { readonly wsUrl: URL };

type OutsideSettings = SettingValues<typeof OUTSIDE_SETTINGS>;

/**
 * @param cwd - The folder from which relative paths start.
 * @returns The configuration of the outside RPC, or null for the embedded network.
 */
export function toOutsideConfig(settings: OutsideSettings, cwd: string): OutsideConfig | null {
  if (settings['rpc-url'] === '') return null;
  const fields = toFields(OUTSIDE_SETTINGS, settings, cwd);
  const given = settings['rpc-ws-url'];
  return { ...fields, wsUrl: given === '' ? webSocketBeside(fields.url) : new URL(given) };
}

function webSocketBeside(url: URL): URL {
  const beside = new URL(url);
  beside.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port !== '') beside.port = String(Number(url.port) + 1);
  return beside;
}

/** Returns the settings that require `rpc-url` or contradict it, one sentence each. */
export function findOutsideContradictions(
  settings: OutsideSettings & Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, string>>,
  all: Readonly<Record<string, Setting>>,
): string[] {
  const isOutside = settings['rpc-url'] !== '';
  const names = isOutside ? ONLY_EMBEDDED : ONLY_OUTSIDE;
  const problems = names
    .filter((name) => isGiven(settings[name], all[name]))
    .map((name) => {
      const value = formatUnlessSecret(settings[name], all[name]?.secret === true);
      const only = `only ${isOutside ? 'without' : 'together with'} rpc-url`;
      return `${name} from ${sources[name]} is ${value}, but must be ${all[name]?.allowed}, ${only}`;
    });
  const { 'rpc-poll-ms': poll, 'rpc-stale-ms': stale } = settings;
  if (stale < 2 * poll) {
    problems.push(
      `rpc-stale-ms from ${sources['rpc-stale-ms']} is ${stale}, but must be at least twice rpc-poll-ms, which is ${poll} from ${sources['rpc-poll-ms']}`,
    );
  }
  return problems;
}

function isGiven(value: unknown, one: Setting | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return one !== undefined && value !== getDefault(one);
}

function addressesOrFiles(description: string) {
  return setting(repeatable(description, 10_000), {
    allowed: 'a Solana address or the path of a file',
    accepts: (text) => text !== '',
    convert: (texts, cwd) => texts.map((text) => (parseAddress(text) === null ? resolve(cwd, text) : text)),
  });
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocols.includes(protocol) && username === '' && password === '';
}
