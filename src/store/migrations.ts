/**
 * Each entry takes the schema one version further. An entry that was released is never changed. The statements are
 * SQL that SQLite and PostgreSQL both understand.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create table organisations (
      id text primary key, slug text not null unique, plan text not null, created_at bigint not null)`,
    `create table teams (
      id text primary key, organisation_id text not null references organisations (id) on delete cascade,
      slug text not null, created_at bigint not null, unique (organisation_id, slug))`,
    `create table api_keys (
      id text primary key, team_id text not null references teams (id) on delete cascade, name text not null,
      hash text not null unique, products text, expires_at bigint, last_used_at bigint, created_at bigint not null,
      unique (team_id, name))`,
    `create table audit_log (
      id text primary key, at bigint not null, actor text not null, origin text not null, action text not null,
      subject text not null, before text, after text)`,
    'create index audit_log_at on audit_log (at)',
    "insert into meta (name, value) values ('revision', '0')",
  ],
  [
    `create table firewall_rules (
      id text primary key, team_id text not null references teams (id) on delete cascade, name text not null,
      enabled bigint not null, groups text not null, action text not null, created_at bigint not null,
      unique (team_id, name))`,
  ],
  [
    `create table members (
      id text primary key, organisation_id text not null references organisations (id) on delete cascade,
      name text not null, role text not null, token_hash text not null unique, created_at bigint not null,
      unique (organisation_id, name))`,
    `create table invitations (
      id text primary key, organisation_id text not null references organisations (id) on delete cascade,
      name text not null, role text not null, hash text not null unique, invited_by text,
      created_at bigint not null, expires_at bigint not null, unique (organisation_id, name))`,
    'create index audit_log_subject on audit_log (subject, at)',
  ],
  [
    `create table makers (
      id text primary key, address text not null unique, pairs text, enabled bigint not null,
      hash text not null unique, created_at bigint not null)`,
    `create table maker_states (
      maker_id text primary key references makers (id) on delete cascade, last_sequence text not null,
      status text not null, tampered bigint not null, suspended_until bigint, outcomes text not null,
      statistics text not null)`,
  ],
  [
    `create table fills (
      swap_uuid text primary key, request_id text not null unique, maker_id text not null, state text not null,
      order_text text not null, offered text not null, signed text, answer text, offered_at bigint not null,
      ended_at bigint)`,
    'create index fills_ended_at on fills (ended_at)',
  ],
  [
    'alter table members add column token_expires_at bigint',
    'alter table members add column token_last_used_at bigint',
  ],
  [
    `create table sponsored (
      sponsor text not null, taker text not null, minute bigint not null, lamports bigint not null,
      primary key (sponsor, taker, minute))`,
    "insert into meta (name, value) values ('sponsored', '0')",
  ],
  ['alter table maker_states add column epoch bigint not null default 0'],
];
