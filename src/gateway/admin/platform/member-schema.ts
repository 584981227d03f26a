import { Type } from 'typebox';
import { ROLES } from '../../../platform/accounts/roles.ts';
import { Slug, Time } from './platform-schema.ts';

const closed = { additionalProperties: false };
const Name = Type.String({
  maxLength: 200,
  description: 'An e-mail address, or a name in lowercase letters.',
});
const RoleText = Type.String({ maxLength: 200, description: `One of ${ROLES.join(', ')}.` });
const Next = Type.Union([Type.String(), Type.Null()], {
  description: 'Cursor of the next page; null: none.',
});
const NewToken = Type.String({ description: 'Shown once.' });
const TokenExpiresAt = Type.Union([Time, Type.Null()], {
  description: 'When the token expires, in Unix milliseconds; null: never.',
});
const Expires = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 8_640_000_000_000_000,
    description:
      "When the member's token expires, in Unix milliseconds; when absent, as late as the setting `member-token-days` allows.",
  }),
);

export const MemberParams = Type.Object({ organisation: Slug, member: Name });
export const InvitationParams = Type.Object({ organisation: Slug, name: Name });

const member = {
  name: Type.String(),
  role: Type.String(),
  createdAt: Time,
  tokenExpiresAt: TokenExpiresAt,
  tokenLastUsedAt: Type.Union([Time, Type.Null()], {
    description: 'When the token was last used, to the minute, in Unix milliseconds; null: never.',
  }),
};
export const RoleAnswer = Type.Object(member);
const MemberJson = Type.Object({
  ...member,
  teams: Type.Array(Type.String(), {
    description:
      'The teams whose keys and firewall the role `member` may change. Owners and admins may change all.',
  }),
});
export const MembersAnswer = Type.Object({ members: Type.Array(MemberJson), next: Next });
export const TeamMemberParams = Type.Object({ organisation: Slug, team: Slug, member: Name });
export const TeamMembersAnswer = Type.Object({
  members: Type.Array(Type.Object({ name: Type.String(), role: Type.String(), since: Time })),
  next: Next,
});
export const RoleBody = Type.Object({ role: RoleText }, closed);
export const TokenBody = Type.Object({ expiresAt: Expires }, closed);
export const TokenAnswer = Type.Object({ token: NewToken, tokenExpiresAt: TokenExpiresAt });

const invitation = { name: Type.String(), role: Type.String(), createdAt: Time, expiresAt: Time };
export const InvitationBody = Type.Object({ name: Name, role: RoleText }, closed);
export const NewInvitationAnswer = Type.Object({ ...invitation, token: NewToken });
export const InvitationsAnswer = Type.Object({
  invitations: Type.Array(Type.Object(invitation)),
  next: Next,
});

export const AcceptBody = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }), expiresAt: Expires },
  closed,
);
export const AcceptAnswer = Type.Object({
  organisation: Type.String(),
  name: Type.String(),
  role: Type.String(),
  token: Type.String({ description: 'The member’s token for the admin interface, shown once.' }),
  tokenExpiresAt: TokenExpiresAt,
});

export const MeAnswer = Type.Object({
  who: Type.String({
    description: '`operator`, `operator (name)` in a session under a name, or organisation/member.',
  }),
  standing: Type.String({ description: '`operator`, or the member’s role.' }),
  organisation: Type.Union([Type.String(), Type.Null()], {
    description: 'The slug of the member’s organisation; null: the operator, who may access all.',
  }),
  teams: Type.Array(Type.String(), {
    description: 'The teams that the member belongs to. The operator belongs to none.',
  }),
  rights: Type.Array(Type.String()),
});
