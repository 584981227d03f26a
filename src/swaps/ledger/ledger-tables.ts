import type { LogMigration } from '../../store/log/log-migrate.ts';
import type { NumberedMigrations } from '../../store/schema/owned-tables.ts';

/** The tables of the ledger, which are in the database of the request log. A released migration is never changed. */
export const LEDGER_LOG_TABLES: NumberedMigrations<LogMigration> = {
  owner: 'swaps',
  migrations: {
    4: () => [
      `create table ledger_orders (
      request_id text primary key, at bigint not null, owner text, taker text, receiver text, input_mint text,
      output_mint text, swap_mode text, in_amount text, out_amount text, slippage_bps bigint, fee_mint text,
      fee_amount text, router text, maker text, executed_at bigint, ended_at bigint, code bigint, reason text,
      signature text, slot text, total_input text, total_output text)`,
      'create index ledger_orders_at on ledger_orders (at, request_id)',
      'create index ledger_orders_owner on ledger_orders (owner, at, request_id)',
      'create index ledger_orders_taker on ledger_orders (taker, at, request_id)',
      'create index ledger_orders_maker on ledger_orders (maker, at, request_id) where maker is not null',
      `create table ledger_bids (
      request_id text not null, maker text not null, at bigint not null, owner text, taker text, channel text,
      input_mint text, output_mint text, in_amount text, out_amount text, lost text, detail text, offered_at bigint,
      answered_at bigint, answer text, paid_mint text, paid text, received_mint text, received text, micro_dollars text,
      ended_at bigint, state text, failure text, signature text, primary key (request_id, maker))`,
      'create index ledger_bids_at on ledger_bids (at)',
      'create index ledger_bids_maker on ledger_bids (maker, at, request_id)',
      'create index ledger_fills on ledger_bids (at, request_id) where state is not null',
    ],
    // A maker may have lost millions of orders before it won one.
    6: () => ['create index ledger_wins on ledger_bids (maker, at, request_id) where lost is null'],
    // It may also have won millions before it lost one, or before one was executed.
    7: () => [
      'create index ledger_losses on ledger_bids (maker, at, request_id) where lost is not null',
      'create index ledger_offers on ledger_bids (maker, at, request_id) where lost is null and state is not null',
      // The members of an organisation read its fills among those of all.
      'create index ledger_owner_fills on ledger_bids (owner, at, request_id) where state is not null',
    ],
    // How far behind the price of a maker was, in hundredths of a basis point, and who was better.
    8: () => [
      'alter table ledger_bids add column behind bigint',
      'alter table ledger_bids add column lost_to text',
    ],
    // Who pays the network. What is looked for by its signature, its outcome, its code or its router may be one of millions.
    9: () => [
      'alter table ledger_orders add column payer text',
      'alter table ledger_orders add column paid_by text',
      'create index ledger_orders_signature on ledger_orders (signature, at, request_id) where signature is not null',
      'create index ledger_orders_code on ledger_orders (code, at, request_id) where code <> 0',
      'create index ledger_successes on ledger_orders (at, request_id) where code = 0',
      'create index ledger_failures on ledger_orders (at, request_id) where code <> 0',
      'create index ledger_owner_failures on ledger_orders (owner, at, request_id) where code <> 0',
      'create index ledger_owner_successes on ledger_orders (owner, at, request_id) where code = 0',
      'create index ledger_open on ledger_orders (at, request_id) where code is null and executed_at is not null',
      'create index ledger_orders_router on ledger_orders (router, at, request_id)',
      'create index ledger_fills_signature on ledger_bids (signature, at, request_id) where signature is not null',
      'create index ledger_fills_state on ledger_bids (state, at, request_id) where state is not null',
    ],
  },
};
