import { sql } from 'drizzle-orm';
import { bigint, doublePrecision, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

/** A time in Unix milliseconds. Types that only one of the two databases has, such as JSON, are not used. */
const time = (name: string) => bigint(name, { mode: 'number' });

/** Single values by name: the schema version, the revision that every change raises, and rows that serve as locks. */
export const meta = pgTable('meta', { name: text('name').primaryKey(), value: text('value').notNull() });

export const organisations = pgTable('organisations', {
  id: text('id').primaryKey(),
  slug: text('slug').notNull(),
  plan: text('plan').notNull(),
  createdAt: time('created_at').notNull(),
});

/** Limits that the operator has given to a plan. A plan without a row has its usual ones. */
export const planLimits = pgTable('plan_limits', {
  /** A plan, or `keyless` or `keyless-local`. */
  plan: text('plan').primaryKey(),
  /** Requests of each bucket in any 60 seconds. */
  main: bigint('main', { mode: 'number' }).notNull(),
  execute: bigint('execute', { mode: 'number' }).notNull(),
  submit: bigint('submit', { mode: 'number' }).notNull(),
});

export const teams = pgTable('teams', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  slug: text('slug').notNull(),
  createdAt: time('created_at').notNull(),
});

export const apiKeys = pgTable('api_keys', {
  id: text('id').primaryKey(),
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  /** HMAC-SHA256 of the key, in hex. */
  hash: text('hash').notNull(),
  /** The first and last characters of the key, to recognise it by; null: it was made before these were stored. */
  excerpt: text('excerpt'),
  /** Names of products with commas between; null: every product. */
  products: text('products'),
  expiresAt: time('expires_at'),
  lastUsedAt: time('last_used_at'),
  createdAt: time('created_at').notNull(),
});

export const firewallRules = pgTable('firewall_rules', {
  id: text('id').primaryKey(),
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  /** 1 or 0. */
  enabled: bigint('enabled', { mode: 'number' }).notNull(),
  /** JSON. */
  groups: text('groups').notNull(),
  action: text('action').notNull(),
  createdAt: time('created_at').notNull(),
});

export const members = pgTable('members', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  name: text('name').notNull(),
  role: text('role').notNull(),
  /** HMAC-SHA256 of the member's token, in hex. */
  tokenHash: text('token_hash').notNull(),
  /** Null: never. */
  tokenExpiresAt: time('token_expires_at'),
  tokenLastUsedAt: time('token_last_used_at'),
  createdAt: time('created_at').notNull(),
});

/** Which members belong to which teams. */
export const teamMembers = pgTable(
  'team_members',
  {
    teamId: text('team_id').notNull(),
    memberId: text('member_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.memberId] })],
);

export const invitations = pgTable('invitations', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  name: text('name').notNull(),
  role: text('role').notNull(),
  /** HMAC-SHA256 of the invitation's token, in hex. */
  hash: text('hash').notNull(),
  /** The member who invited; null: the operator. */
  invitedBy: text('invited_by'),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
});

export const makers = pgTable('makers', {
  id: text('id').primaryKey(),
  address: text('address').notNull(),
  /** `base/quote` by their mints, with commas between; null: every pair. */
  pairs: text('pairs'),
  /** 1 or 0. */
  enabled: bigint('enabled', { mode: 'number' }).notNull(),
  /** HMAC-SHA256 of the maker's key, in hex. */
  hash: text('hash').notNull(),
  createdAt: time('created_at').notNull(),
});

/** The webhook of a maker, and how it has behaved. */
export const webhooks = pgTable('webhooks', {
  makerId: text('maker_id').primaryKey(),
  url: text('url').notNull(),
  /** The key that the maker wants to be shown. It is not hashed, because it is sent. */
  apiKey: text('api_key'),
  /** JSON. */
  state: text('state').notNull(),
  /** Raised with each write of the state. A write that does not know the last one is refused. */
  version: bigint('version', { mode: 'number' }).notNull(),
});

/** Swaps that makers were sent by webhook. */
export const webhookFills = pgTable('webhook_fills', {
  requestId: text('request_id').primaryKey(),
  makerId: text('maker_id').notNull(),
  state: text('state').notNull(),
  /** The order as text. */
  order: text('order_text').notNull(),
  /** Base64 of the transaction that the taker signed. */
  offered: text('offered').notNull(),
  /** JSON of the taker's answer. */
  answer: text('answer'),
  /** Why it does not count against the maker if it never lands; null if it does. */
  excuse: text('excuse'),
  offeredAt: time('offered_at').notNull(),
  endedAt: time('ended_at'),
});

/** The state of a maker, written by the instance that owns it. */
export const makerStates = pgTable('maker_states', {
  makerId: text('maker_id').primaryKey(),
  /** Decimal digits of a u64. */
  lastSequence: text('last_sequence').notNull(),
  status: text('status').notNull(),
  /** 1 or 0. */
  tampered: bigint('tampered', { mode: 'number' }).notNull(),
  suspendedUntil: time('suspended_until'),
  /** JSON. */
  outcomes: text('outcomes').notNull(),
  statistics: text('statistics').notNull(),
  /** The fencing token: raised whenever an instance becomes the owner. A write with a lower one is refused. */
  epoch: bigint('epoch', { mode: 'number' }).notNull(),
});

/** Fills: swaps that a maker was asked to sign. */
export const fills = pgTable('fills', {
  swapUuid: text('swap_uuid').primaryKey(),
  requestId: text('request_id').notNull(),
  makerId: text('maker_id').notNull(),
  state: text('state').notNull(),
  /** The order as text. */
  order: text('order_text').notNull(),
  /** Base64 of the transaction that the taker signed. */
  offered: text('offered').notNull(),
  /** Base64 of the transaction with the maker's signature. */
  signed: text('signed'),
  /** JSON of the taker's answer. */
  answer: text('answer'),
  offeredAt: time('offered_at').notNull(),
  endedAt: time('ended_at'),
});

/** What a sponsor spent on a taker in a minute. An empty `taker` stands for all takers together. */
export const sponsored = pgTable(
  'sponsored',
  {
    sponsor: text('sponsor').notNull(),
    taker: text('taker').notNull(),
    /** Minutes since 1970. */
    minute: bigint('minute', { mode: 'number' }).notNull(),
    lamports: bigint('lamports', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.sponsor, table.taker, table.minute] })],
);

/** From when on movements in earn tokens are known: of everybody in one lending, or of one token account. */
export const earnHistories = pgTable(
  'earn_histories',
  {
    /** Genesis hash. */
    network: text('network').notNull(),
    /** The lending, or the account of receipt tokens, whose transactions are followed. */
    address: text('address').notNull(),
    /** Unix seconds. */
    startedAt: bigint('started_at', { mode: 'number' }).notNull(),
    /** The price of the receipt token at that time, in decimal digits; 12 decimals. */
    startPrice: text('start_price').notNull(),
    /** The newest transaction that is recorded; null before the first. */
    cursor: text('cursor_signature'),
    cursorSlot: bigint('cursor_slot', { mode: 'number' }).notNull(),
    /** Movements up to this slot were before the start, even where another history recorded them. */
    startSlot: bigint('start_slot', { mode: 'number' }).notNull().default(0),
    /** Movements up to this slot are recorded, or there were none. */
    knownSlot: bigint('known_slot', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.network, table.address] })],
);

/** Deposits and withdrawals of earn tokens. */
export const earnMovements = pgTable(
  'earn_movements',
  {
    network: text('network').notNull(),
    signature: text('signature').notNull(),
    /** Its place among the movements of the transaction. */
    place: bigint('place', { mode: 'number' }).notNull(),
    owner: text('owner').notNull(),
    receiptMint: text('receipt_mint').notNull(),
    /** `deposit` or `withdrawal`. */
    kind: text('kind').notNull(),
    /** Decimal digits of a u64. */
    assets: text('assets').notNull(),
    shares: text('shares').notNull(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.signature, table.place] })],
);

/** What an owner moved in one earn token in a range of slots, added up once so that it need not be again. */
export const earnTotals = pgTable(
  'earn_totals',
  {
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    receiptMint: text('receipt_mint').notNull(),
    /** Movements of later slots are included. */
    afterSlot: bigint('after_slot', { mode: 'number' }).notNull(),
    /** Movements up to this slot are included. */
    upToSlot: bigint('up_to_slot', { mode: 'number' }).notNull(),
    /** Decimal digits, as are the others: sums can exceed 64 bits. */
    deposited: text('deposited').notNull(),
    withdrawn: text('withdrawn').notNull(),
    minted: text('minted').notNull(),
    burned: text('burned').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.owner, table.receiptMint] })],
);

/** What the operator decided about tokens. */
export const tokenStandings = pgTable(
  'token_standings',
  {
    /** Genesis hash. */
    network: text('network').notNull(),
    mint: text('mint').notNull(),
    /** `verified`, `unverified` or `banned`; `none` for a decision that was taken back. */
    level: text('level').notNull(),
    /** JSON. */
    tags: text('tags').notNull(),
    details: text('details').notNull(),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.mint] })],
);

/** Paid requests for the verification of tokens. */
export const tokenRequests = pgTable('token_requests', {
  /** The signature of the payment, so that no payment counts twice. */
  signature: text('signature').primaryKey(),
  network: text('network').notNull(),
  mint: text('mint').notNull(),
  sender: text('sender').notNull(),
  currency: text('currency').notNull(),
  /** Atoms of the token that was paid, in decimal digits. */
  amount: text('amount').notNull(),
  /** `paying`, `pending`, `approved`, `rejected` or `failed`. */
  state: text('state').notNull(),
  /** JSON of what was submitted. */
  submission: text('submission').notNull(),
  /** `network/mint` while a request for verification is open; unique. */
  verificationOf: text('verification_of'),
  /** `network/mint` while a request for metadata is open; unique. */
  metadataOf: text('metadata_of'),
  lastValidHeight: bigint('last_valid_height', { mode: 'number' }).notNull(),
  createdAt: time('created_at').notNull(),
  decidedAt: time('decided_at'),
});

/** What happened to a token in a minute or an hour. */
export const priceBars = pgTable(
  'price_bars',
  {
    /** Genesis hash. */
    network: text('network').notNull(),
    /** The length of the bar: 60 or 3,600. */
    seconds: bigint('seconds', { mode: 'number' }).notNull(),
    mint: text('mint').notNull(),
    /** Unix seconds. */
    start: bigint('start', { mode: 'number' }).notNull(),
    /** US dollars per whole token; null: it had no price. */
    open: doublePrecision('open'),
    high: doublePrecision('high'),
    low: doublePrecision('low'),
    close: doublePrecision('close'),
    /** US dollars. */
    buyVolume: doublePrecision('buy_volume').notNull(),
    sellVolume: doublePrecision('sell_volume').notNull(),
    buys: bigint('buys', { mode: 'number' }).notNull(),
    sells: bigint('sells', { mode: 'number' }).notNull(),
    liquidity: doublePrecision('liquidity'),
    /** Of the last trade; 0: there was none. */
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.seconds, table.mint, table.start] })],
);

/** How far bars are written. */
export const priceSeries = pgTable('price_series', {
  /** Genesis hash. */
  network: text('network').primaryKey(),
  /** All trades up to this slot are in bars. */
  cursorSlot: bigint('cursor_slot', { mode: 'number' }).notNull(),
  /** Unix seconds: all trades from the first to before the second are in bars, as far as an instance over an RPC knows. */
  completeFrom: bigint('complete_from', { mode: 'number' }),
  completeTo: bigint('complete_to', { mode: 'number' }),
});

/** When pools appeared while an instance ran. */
export const poolSightings = pgTable(
  'pool_sightings',
  {
    /** Genesis hash. */
    network: text('network').notNull(),
    pool: text('pool').notNull(),
    /** Unix seconds, of the network. */
    seenAt: bigint('seen_at', { mode: 'number' }).notNull(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.pool] })],
);

export const auditLog = pgTable('audit_log', {
  id: text('id').primaryKey(),
  at: time('at').notNull(),
  /** Orders the entries of one millisecond as they were written. Zero in entries of before the column. */
  place: bigint('place', { mode: 'number' })
    .notNull()
    .$default(() => sql`(select coalesce(max(place), 0) + 1 from audit_log)`),
  actor: text('actor').notNull(),
  origin: text('origin').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  /** JSON; null when there was nothing before. */
  before: text('before'),
  after: text('after'),
});

/** Wallets whose value is recorded every hour. */
export const portfolioWallets = pgTable(
  'portfolio_wallets',
  {
    /** Genesis hash. */
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    /** A digest of the API key that asked for it first, whose share of the wallets it counts towards. */
    follower: text('follower').notNull(),
    since: time('since').notNull(),
    /** When somebody last asked for its history. */
    askedAt: time('asked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.owner] })],
);

/** What wallets were worth. */
export const portfolioValues = pgTable(
  'portfolio_values',
  {
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    /** The beginning of the hour. */
    hour: time('hour').notNull(),
    /** Dollars, as JSON writes the number; null while an instance evaluates the wallet, and if it could not. */
    value: text('value'),
  },
  (table) => [primaryKey({ columns: [table.network, table.owner, table.hour] })],
);
