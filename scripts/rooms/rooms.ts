/** A folder of `src/`, with the restrictions of its imports. */
export interface Room {
  readonly name: string;
  /** A description for the README's picture. */
  readonly holds: string;
  /** The lower rooms that it may not import; its tests may, as examples. Default: none. */
  readonly refuses?: readonly string[];
  /** Whether its files may import the HTTP framework. Default: no. */
  readonly speaksHttp?: true;
}

const EVERY_DOMAIN = [
  'chain',
  'protocol',
  'protocols',
  'market',
  'market-data',
  'tokens',
  'transactions',
  'lend',
  'swaps',
  'rfq',
  'custody',
  'waiting-orders',
  'program-orders',
  'invites',
  'launches',
  'studio',
  'exchange',
  'predictions',
  'forecasts',
];

/**
 * All rooms, from the lowest to the highest. A room may import the rooms before it, except those that it refuses. The
 * lint rules in `biome.json` and the picture in the README are generated from this table by `npm run rooms`.
 */
export const ROOMS: readonly Room[] = [
  { name: 'common', holds: 'collections, ports (timers, metrics, tracing, peers), small shared pieces' },
  {
    name: 'solana',
    holds: 'addresses, codecs, messages, lookup tables, the native and the token programs, known tokens',
  },
  {
    name: 'chain',
    holds: 'the port `Chain`; embedded/: LiteSVM in a worker with its RPC; rpc/: any Solana RPC',
  },
  {
    name: 'store',
    holds: 'SQL (SQLite or PostgreSQL), migrations, and shared state (Valkey); no table of anybody',
    refuses: ['solana', 'chain'],
  },
  {
    name: 'protocol',
    holds: 'the contract of a protocol, and what protocols share: venue, positions, genesis',
    refuses: ['store'],
  },
  {
    name: 'protocols',
    holds:
      'one folder for each on-chain protocol: layouts, exact arithmetic, instructions, positions, genesis',
    refuses: ['store'],
  },
  {
    name: 'market',
    holds: 'pools kept current, prices, the router, the aggregator program',
    refuses: ['protocols', 'store'],
  },
  {
    name: 'market-data',
    holds: 'swaps that landed, their statistics, prices that trades and depth agree on, and bars over time',
    refuses: ['protocols'],
  },
  {
    name: 'tokens',
    holds:
      'what is known of tokens: mints, metadata, first pools, holders, verification, and the search for them',
    refuses: ['protocols'],
  },
  {
    name: 'transactions',
    holds:
      'fees, simulation, reports, sponsor; prepared/: waits for a signature; submit/: executions; landing/: /tx/v1',
    refuses: ['protocols', 'market-data', 'tokens'],
  },
  {
    name: 'lend',
    holds: 'lending and borrowing: markets and their rates, positions, and the building of actions',
    refuses: ['store', 'market-data', 'tokens'],
  },
  {
    name: 'swaps',
    holds:
      'swaps as instructions: their terms, fees, routes that fit a transaction, and the engines that quote them',
    refuses: ['protocols', 'market-data', 'tokens', 'lend'],
  },
  {
    name: 'rfq',
    holds: 'market makers: their records, order books, streams, fills and their last look, several instances',
    // Makers settle by programs of their own, which are protocols. A test holds that it imports no others.
    refuses: ['market-data', 'tokens', 'lend'],
  },
  {
    name: 'custody',
    holds: 'keys of vaults, encrypted, and the one function that signs with them what it has checked',
    refuses: ['market-data', 'tokens', 'lend', 'rfq'],
  },
  {
    name: 'waiting-orders',
    holds:
      'orders that wait: their states, deposits and withdrawals, the triggers, and the keeper that fills them',
    refuses: ['protocols', 'tokens', 'lend', 'rfq'],
  },
  {
    name: 'program-orders',
    holds: 'orders that live in programs on the chain: their index, their transactions, and who fills them',
    refuses: ['tokens', 'lend', 'rfq', 'custody'],
  },
  {
    name: 'invites',
    holds: 'invites, by which wallets send: their record, their lists, and their return after the expiry',
    refuses: ['tokens', 'lend', 'rfq', 'custody'],
  },
  {
    name: 'launches',
    holds: 'tokens that are launched on bonding curves: what is known of each, and who migrates them',
    refuses: ['market-data', 'tokens', 'lend', 'swaps', 'rfq', 'custody', 'program-orders', 'invites'],
  },
  {
    name: 'studio',
    holds: 'launches that Sluice prepares: their curves and keys, their files and pages, and their fees',
    refuses: ['market-data', 'tokens', 'lend', 'swaps', 'rfq', 'custody', 'program-orders', 'invites'],
  },
  {
    name: 'exchange',
    holds:
      'books of prediction markets: matching by price and time, the house, and a journal that gives the same book',
    refuses: EVERY_DOMAIN.filter(
      (name) => name !== 'exchange' && name !== 'predictions' && name !== 'forecasts',
    ),
  },
  {
    name: 'predictions',
    holds:
      'prediction markets: their events, orders and positions on the chain, and the keeper that fills and pays',
    refuses: ['tokens', 'lend', 'rfq', 'custody', 'program-orders', 'invites', 'launches', 'studio'],
  },
  {
    name: 'forecasts',
    holds:
      'forecasts of prices: their rounds on the chain, who holds their tokens, and the keeper that opens, settles and pays',
    refuses: [
      'tokens',
      'lend',
      'rfq',
      'custody',
      'program-orders',
      'invites',
      'launches',
      'studio',
      'exchange',
    ],
  },
  {
    name: 'platform',
    holds: 'organisations, keys, plans, firewall rules, request log, audit log',
    refuses: EVERY_DOMAIN,
  },
  {
    name: 'products',
    holds: 'one folder for each product: its endpoints and what they do',
  },
  {
    name: 'gateway',
    holds: 'HTTP and gRPC: the steps before every handler, limits, OpenAPI, health, admin',
    refuses: ['protocol', 'protocols'],
    speaksHttp: true,
  },
  {
    name: 'sandbox',
    holds: 'the embedded network: its genesis, its demo wallets and makers, and who trades there',
    // Its makers register like any maker, and begin at the price that market data finds in the pools.
    refuses: ['store', 'tokens', 'lend', 'platform', 'products', 'gateway'],
  },
  {
    name: 'config',
    holds: 'settings: one table, read from flags, environment and file',
    refuses: [
      'chain',
      'store',
      'protocols',
      'market',
      'market-data',
      'tokens',
      'transactions',
      'lend',
      'swaps',
      'rfq',
      'platform',
      'products',
      'gateway',
      'sandbox',
    ],
  },
  {
    name: 'data-folder',
    holds: 'files of an instance: lock, secrets, backup and restore',
    refuses: [...EVERY_DOMAIN, 'store', 'platform', 'products', 'gateway', 'sandbox', 'config'],
  },
  {
    name: 'app',
    holds: 'joins the rooms: opens and closes them, and registers the products',
    speaksHttp: true,
  },
  { name: 'cli', holds: 'the `sluice` command', speaksHttp: true },
];

/** The folder of `src/` with fixtures and builders. It may import every room, and only tests and benches may import it. */
export const TESTING = 'testing';

/** Returns the names of the rooms that no file of `room` may import. */
export function roomsAbove(room: Room): readonly string[] {
  return ROOMS.slice(ROOMS.indexOf(room) + 1).map(({ name }) => name);
}

/** Returns the names of the rooms that `room` may not import, apart from its tests, for which `roomsAbove` holds. */
export function refusedBy(room: Room): readonly string[] {
  return [...(room.refuses ?? []), ...roomsAbove(room)];
}
