import { resolve } from 'node:path';
import { Type } from 'typebox';
import { parseAddress } from '../../solana/address.ts';
import { shownUnlessSecret } from '../problems/problems.ts';
import { milliseconds, repeatable, whole } from './kinds.ts';
import { type Setting, setting } from './setting.ts';

/** How to run over a network outside, in place of the embedded one. */
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
    },
  ),
  'rpc-ws-url': setting(
    Type.String({
      default: '',
      description:
        'WebSocket of `rpc-url`. Empty: the same place by ws or wss, with a port that is given one higher, as is usual.',
    }),
    {
      allowed: 'a ws or wss URL without user name and password',
      accepts: (url) => url === '' || isUrl(url, ['ws:', 'wss:']),
      secret: true,
    },
  ),
  'rpc-pool': named(
    'Use this pool, or those that a file names, one address a line; no others then, and the RPC is not asked for all accounts of programs.',
  ),
  'rpc-lookup-table': named(
    'Let transactions use this address lookup table of the network of `rpc-url`, or those that a file names.',
  ),
  'rpc-poll-ms': milliseconds(
    1_000,
    20,
    60_000,
    'between questions to `rpc-url` for slots, blockhash and clock, and for accounts that it does not tell of by itself',
  ),
  'rpc-stale-ms': milliseconds(
    15_000,
    200,
    600_000,
    'after which what `rpc-url` told last is out of date, so that swaps are answered with 503',
  ),
  'rpc-sweep-ms': milliseconds(
    30_000,
    200,
    3_600_000,
    'between two reads of all accounts that pools depend on, in case subscriptions go silent',
  ),
  'rpc-max-subscriptions': whole(
    1_000,
    1,
    1_000_000,
    'Subscriptions that the WebSocket takes; accounts beyond it are read every `rpc-poll-ms` instead.',
  ),
};

const ONLY_OUTSIDE = Object.keys(OUTSIDE_SETTINGS).filter((name) => name !== 'rpc-url');
/** What only the embedded network has. */
const ONLY_EMBEDDED = ['seed', 'slot-ms', 'rpc-port', 'ws-port', 'program', 'account', 'clone', 'clone-from'];

/** Where to find the network, and how. */
export interface Outside {
  readonly url: URL;
  readonly wsUrl: URL;
  /** Addresses, and paths of files that hold some. */
  readonly pools: readonly string[];
  readonly lookupTables: readonly string[];
  readonly pollMs: number;
  readonly staleMs: number;
  readonly sweepMs: number;
  readonly maxSubscriptions: number;
}

type OutsideSettings = {
  readonly 'rpc-url': string;
  readonly 'rpc-ws-url': string;
  readonly 'rpc-pool': readonly string[];
  readonly 'rpc-lookup-table': readonly string[];
  readonly 'rpc-poll-ms': number;
  readonly 'rpc-stale-ms': number;
  readonly 'rpc-sweep-ms': number;
  readonly 'rpc-max-subscriptions': number;
};

/** Null: the embedded network. @param cwd that relative paths start from */
export function outsideOf(settings: OutsideSettings, cwd: string): Outside | null {
  if (settings['rpc-url'] === '') return null;
  const url = new URL(settings['rpc-url']);
  const given = settings['rpc-ws-url'];
  const paths = (texts: readonly string[]) =>
    texts.map((text) => (parseAddress(text) === null ? resolve(cwd, text) : text));
  return {
    url,
    wsUrl: given === '' ? webSocketBeside(url) : new URL(given),
    pools: paths(settings['rpc-pool']),
    lookupTables: paths(settings['rpc-lookup-table']),
    pollMs: settings['rpc-poll-ms'],
    staleMs: settings['rpc-stale-ms'],
    sweepMs: settings['rpc-sweep-ms'],
    maxSubscriptions: settings['rpc-max-subscriptions'],
  };
}

function webSocketBeside(url: URL): URL {
  const beside = new URL(url);
  beside.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port !== '') beside.port = String(Number(url.port) + 1);
  return beside;
}

/** Settings that are allowed each by itself, but not without, or not together with, `rpc-url`. */
export function outsideContradictions(
  settings: OutsideSettings & Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, string>>,
  all: Readonly<Record<string, Setting>>,
): string[] {
  const isOutside = settings['rpc-url'] !== '';
  const names = isOutside ? ONLY_EMBEDDED : ONLY_OUTSIDE;
  const problems = names
    .filter((name) => isGiven(settings[name], all[name]))
    .map((name) => {
      const value = shownUnlessSecret(settings[name], all[name]?.secret === true);
      const only = `only ${isOutside ? 'without' : 'together with'} rpc-url`;
      return `${name} from ${sources[name]} is ${value}, but allowed is ${all[name]?.allowed}, ${only}`;
    });
  const { 'rpc-poll-ms': poll, 'rpc-stale-ms': stale } = settings;
  if (stale < 2 * poll) {
    problems.push(
      `rpc-stale-ms from ${sources['rpc-stale-ms']} is ${stale}, but allowed is twice rpc-poll-ms at least, which is ${poll} from ${sources['rpc-poll-ms']}`,
    );
  }
  return problems;
}

function isGiven(value: unknown, one: Setting | undefined): boolean {
  const usual = one !== undefined && 'default' in one.schema ? one.schema.default : undefined;
  return Array.isArray(value) ? value.length > 0 : value !== usual;
}

function named(description: string) {
  return setting(repeatable(description, 10_000), {
    allowed: 'a Solana address or the path of a file',
    accepts: (text) => text !== '',
  });
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocols.includes(protocol) && username === '' && password === '';
}
