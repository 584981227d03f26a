import { describe, expect, it } from 'vitest';
import { parseAuditSubject } from './audit-subject.ts';

describe('parseAuditSubject', () => {
  it.each([
    ['organisation.created', 'acme', { kind: 'organisation', organisation: 'acme', team: null }],
    ['plan.changed', 'acme', { kind: 'organisation', organisation: 'acme', team: null }],
    ['plan.limits_changed', 'free', { kind: 'plan' }],
    ['team.member_added', 'acme/web', { kind: 'team', organisation: 'acme', team: 'web' }],
    ['api_key.created', 'acme/web/ci', { kind: 'key', organisation: 'acme', team: 'web', key: 'ci' }],
    ['api_key.created', 'acme', { kind: 'other' }],
    ['member.joined', 'acme/ann', { kind: 'member', organisation: 'acme', member: 'ann' }],
    ['invitation.canceled', 'acme/ann', { kind: 'member', organisation: 'acme', member: 'ann' }],
    ['firewall_rule.enabled', 'acme/web/no', { kind: 'firewall', organisation: 'acme', team: 'web' }],
    ['maker.status', 'acme', { kind: 'maker', maker: 'acme' }],
    ['token.decided', 'So1', { kind: 'token', mint: 'So1' }],
    ['backup.made', 'x', { kind: 'backup' }],
    ['sandbox_wallet.signed', 'demo', { kind: 'other' }],
    ['', '', { kind: 'other' }],
  ])('reads %s of %s', (action, subject, parsed) => {
    expect(parseAuditSubject(action, subject)).toEqual(parsed);
  });
});
