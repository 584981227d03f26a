/** What the subject of an entry is, by its action. */
export type AuditSubject =
  | {
      readonly kind: 'organisation' | 'firewall' | 'team';
      readonly organisation: string;
      readonly team: string | null;
    }
  | { readonly kind: 'key'; readonly organisation: string; readonly team: string; readonly key: string }
  | { readonly kind: 'member'; readonly organisation: string; readonly member: string }
  | { readonly kind: 'maker'; readonly maker: string }
  | { readonly kind: 'token'; readonly mint: string }
  | { readonly kind: 'plan' | 'backup' }
  | { readonly kind: 'other' };

/**
 * Tells what the subject of an entry is.
 *
 * @param action - Such as `api_key.created`.
 * @param subject - Such as `acme/web/ci`.
 */
export function parseAuditSubject(action: string, subject: string): AuditSubject {
  const [organisation = '', second = null, third = null] = subject.split('/');
  switch (action.split('.')[0]) {
    case 'organisation':
      return { kind: 'organisation', organisation, team: null };
    case 'plan':
      return action === 'plan.changed'
        ? { kind: 'organisation', organisation, team: null }
        : { kind: 'plan' };
    case 'team':
      return { kind: 'team', organisation, team: second };
    case 'firewall_rule':
      return { kind: 'firewall', organisation, team: second };
    case 'api_key':
      return second === null || third === null
        ? { kind: 'other' }
        : { kind: 'key', organisation, team: second, key: third };
    case 'member':
    case 'invitation':
      return second === null ? { kind: 'other' } : { kind: 'member', organisation, member: second };
    case 'maker':
      return { kind: 'maker', maker: subject };
    case 'token':
      return { kind: 'token', mint: subject };
    case 'backup':
      return { kind: 'backup' };
    default:
      return { kind: 'other' };
  }
}
