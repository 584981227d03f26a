/**
 * The statements of each migration, oldest first; each brings the schema to the next version. A released migration is
 * never changed. The statements are SQL that SQLite and PostgreSQL both understand.
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
  [
    'alter table api_keys add column excerpt text',
    `create table team_members (
      team_id text not null references teams (id) on delete cascade,
      member_id text not null references members (id) on delete cascade,
      created_at bigint not null, primary key (team_id, member_id))`,
    // Until now, a member could change the keys of every team of the organisation.
    `insert into team_members (team_id, member_id, created_at)
      select teams.id, members.id, members.created_at from teams
      join members on members.organisation_id = teams.organisation_id where members.role = 'member'`,
    `update audit_log set action = case action
        when 'organisation.create' then 'organisation.created'
        when 'organisation.plan' then 'plan.changed'
        when 'organisation.delete' then 'organisation.deleted'
        when 'team.create' then 'team.created'
        when 'team.delete' then 'team.deleted'
        when 'key.create' then 'api_key.created'
        when 'key.change' then 'api_key.permissions_changed'
        when 'key.delete' then 'api_key.deleted'
        when 'rule.create' then 'firewall_rule.created'
        when 'rule.change' then 'firewall_rule.updated'
        when 'rule.enable' then 'firewall_rule.enabled'
        when 'rule.disable' then 'firewall_rule.disabled'
        when 'rule.delete' then 'firewall_rule.deleted'
        when 'member.invite' then 'member.invited'
        when 'member.revoke' then 'invitation.canceled'
        when 'member.join' then 'member.joined'
        when 'member.role' then 'member.role_changed'
        when 'member.token' then 'member.token_renewed'
        when 'member.remove' then 'member.removed'
        when 'maker.add' then 'maker.added'
        when 'maker.disable' then 'maker.disabled'
        when 'maker.enable' then 'maker.enabled'
        when 'maker.rotate' then 'maker.key_rotated'
        when 'maker.reinstate' then 'maker.reinstated'
        else action end`,
  ],
  [
    `create table earn_histories (
      network text not null, address text not null, started_at bigint not null, start_price text not null,
      cursor_signature text, cursor_slot bigint not null, primary key (network, address))`,
    `create table earn_movements (
      network text not null, signature text not null, place bigint not null, owner text not null,
      receipt_mint text not null, kind text not null, assets text not null, shares text not null,
      slot bigint not null, primary key (network, signature, place))`,
    'create index earn_movements_owner on earn_movements (network, owner, receipt_mint)',
  ],
  ['alter table earn_histories add column start_slot bigint not null default 0'],
  [
    `create table token_standings (
      network text not null, mint text not null, level text not null, tags text not null, details text not null,
      changed_at bigint not null, primary key (network, mint))`,
    'create index token_standings_changed on token_standings (network, changed_at)',
    `create table token_requests (
      signature text primary key, network text not null, mint text not null, sender text not null,
      currency text not null, amount text not null, state text not null, submission text not null,
      verification_of text, metadata_of text, last_valid_height bigint not null, created_at bigint not null,
      decided_at bigint)`,
    'create unique index token_requests_verification on token_requests (verification_of)',
    'create unique index token_requests_metadata on token_requests (metadata_of)',
    'create index token_requests_state on token_requests (network, state, created_at)',
  ],
  [
    `create table webhooks (
      maker_id text primary key references makers (id) on delete cascade, url text not null, api_key text,
      state text not null, version bigint not null)`,
    `create table webhook_fills (
      request_id text primary key, maker_id text not null, state text not null, order_text text not null,
      offered text not null, answer text, offered_at bigint not null, ended_at bigint)`,
    'create index webhook_fills_ended_at on webhook_fills (ended_at)',
  ],
  [
    `create table portfolio_wallets (
      network text not null, owner text not null, follower text not null, since bigint not null,
      asked_at bigint not null, primary key (network, owner))`,
    `create table portfolio_values (
      network text not null, owner text not null, hour bigint not null, value text,
      primary key (network, owner, hour))`,
    'create index portfolio_values_hour on portfolio_values (network, hour)',
  ],
  [
    `create table price_bars (
      network text not null, seconds bigint not null, mint text not null, start bigint not null,
      open double precision, high double precision, low double precision, close double precision,
      buy_volume double precision not null, sell_volume double precision not null, buys bigint not null,
      sells bigint not null, liquidity double precision, slot bigint not null,
      primary key (network, seconds, mint, start))`,
    'create index price_bars_start on price_bars (network, seconds, start)',
    'create table price_series (network text primary key, cursor_slot bigint not null)',
  ],
  [
    'alter table audit_log add column place bigint not null default 0',
    'create index audit_log_place on audit_log (place)',
  ],
  [
    'alter table earn_histories add column known_slot bigint not null default 0',
    'update earn_histories set known_slot = cursor_slot',
    'drop index earn_movements_owner',
    'create index earn_movements_owner on earn_movements (network, owner, receipt_mint, slot, signature, place)',
    `create table earn_totals (
      network text not null, owner text not null, receipt_mint text not null, after_slot bigint not null,
      up_to_slot bigint not null, deposited text not null, withdrawn text not null, minted text not null,
      burned text not null, primary key (network, owner, receipt_mint))`,
  ],
  ['alter table webhook_fills add column excuse text'],
  [
    `create table pool_sightings (
      network text not null, pool text not null, seen_at bigint not null, slot bigint not null,
      primary key (network, pool))`,
    'create index pool_sightings_seen_at on pool_sightings (network, seen_at)',
  ],
  [
    `create table plan_limits (
      plan text primary key, main bigint not null, execute bigint not null, submit bigint not null)`,
  ],
  [
    'alter table price_series add column complete_from bigint',
    'alter table price_series add column complete_to bigint',
  ],
  [
    `create table complete_hours (
      network text not null, start bigint not null, primary key (network, start))`,
  ],
  // The program encrypts the keys that are there when it starts, because SQL does not know the secret.
  ['alter table webhooks add column sealed_key text'],
  [
    'alter table token_requests add column paying_of text',
    'drop index token_requests_verification',
    'drop index token_requests_metadata',
    // A payment that may never land reserves no token any more. One that lands reserves it then.
    "update token_requests set verification_of = null, metadata_of = null where state = 'paying'",
    'create index token_requests_verification on token_requests (verification_of)',
    'create index token_requests_metadata on token_requests (metadata_of)',
    'create unique index token_requests_paying on token_requests (paying_of)',
  ],
  // A row to lock, so that counting and inserting is one step.
  ["insert into meta (name, value) values ('portfolio-wallets', '0')"],
  [
    "insert into meta (name, value) values ('earn-histories', '0')",
    'alter table earn_histories add column follower text',
    'alter table earn_histories add column asked_at bigint not null default 0',
    'create index earn_histories_follower on earn_histories (network, follower)',
  ],
];
