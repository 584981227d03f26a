import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';
import {
  adminSessions,
  apiKeys,
  firewallRules,
  invitations,
  members,
  organisations,
  planLimits,
  teamMembers,
  teams,
} from './account-tables.ts';
import { auditLog } from './audit-table.ts';

/** The tables of customers, and the audit log. */
export const PLATFORM_TABLES: OwnedTables = defineTables({
  owner: 'platform',
  tables: [
    organisations,
    planLimits,
    teams,
    apiKeys,
    firewallRules,
    members,
    teamMembers,
    invitations,
    adminSessions,
    auditLog,
  ],
  migrations: {
    1: [
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
    2: [
      `create table firewall_rules (
      id text primary key, team_id text not null references teams (id) on delete cascade, name text not null,
      enabled bigint not null, groups text not null, action text not null, created_at bigint not null,
      unique (team_id, name))`,
    ],
    3: [
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
    6: [
      'alter table members add column token_expires_at bigint',
      'alter table members add column token_last_used_at bigint',
    ],
    9: [
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
    16: [
      'alter table audit_log add column place bigint not null default 0',
      'create index audit_log_place on audit_log (place)',
    ],
    20: [
      `create table plan_limits (
      plan text primary key, main bigint not null, execute bigint not null, submit bigint not null)`,
    ],
    43: [
      `create table admin_sessions (
      id text primary key, page_hash text not null, member_id text references members (id) on delete cascade,
      role text not null, credential_hash text not null, name text, created_at bigint not null,
      used_at bigint not null, expires_at bigint not null)`,
      'create index admin_sessions_member on admin_sessions (member_id)',
    ],
  },
});
