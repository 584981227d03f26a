import { AUDIT_ENDPOINTS } from './audit-endpoints.ts';
import { FIREWALL_ENDPOINTS } from './firewall-endpoints.ts';
import { KEY_ENDPOINTS } from './key-endpoints.ts';
import { MEMBER_ENDPOINTS } from './member-endpoints.ts';
import { ORGANISATION_ENDPOINTS } from './organisation-endpoints.ts';
import { PLAN_ENDPOINTS } from './plan-endpoints.ts';
import { TEAM_ENDPOINTS } from './team-endpoints.ts';
import { TEAM_MEMBER_ENDPOINTS } from './team-member-endpoints.ts';

/** Customers: plans, organisations, teams, keys, members, firewall rules, and the audit log. */
export const PLATFORM_ENDPOINTS = [
  ...PLAN_ENDPOINTS,
  ...ORGANISATION_ENDPOINTS,
  ...TEAM_ENDPOINTS,
  ...TEAM_MEMBER_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...MEMBER_ENDPOINTS,
  ...FIREWALL_ENDPOINTS,
];
