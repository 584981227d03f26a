import { renderTable } from '../../../config/render.ts';
import {
  AcceptAnswer,
  InvitationsAnswer,
  MeAnswer,
  MembersAnswer,
  NewInvitationAnswer,
  TokenAnswer,
} from '../../../gateway/admin/platform/member-schema.ts';
import { ADMIN_SETTINGS, readAdminPages, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import {
  checkAnswer,
  toOrganisationPath,
  parseTimeFlag,
  formatTimeOrNever,
} from '../../admin-client/platform-answers.ts';

const settings = ADMIN_SETTINGS;

const EXPIRES = {
  name: 'expires',
  allowed: 'a time such as 2027-01-31T00:00:00Z',
  description: "When the member's token expires. Default: as late as member-token-days allows.",
} satisfies CommandFlag;

export const MEMBER_COMMANDS: readonly Command[] = [
  {
    name: 'member list',
    summary: 'List the members of an organisation.',
    words: ['organisation'],
    settings,
    run: async ({ config, words: [organisation = ''], write }) => {
      const rows: string[][] = [];
      const path = toOrganisationPath(organisation);
      for await (const page of readAdminPages(config, `${path}/members`)) {
        for (const member of checkAnswer(MembersAnswer, page).members) {
          const { name, role, teams, createdAt, tokenExpiresAt, tokenLastUsedAt } = member;
          const times = [createdAt, tokenExpiresAt, tokenLastUsedAt].map(formatTimeOrNever);
          rows.push([name, role, ...times, role === 'member' ? teams.join(',') || 'none' : 'all']);
        }
      }
      write(renderTable([['member', 'role', 'since', 'token expires', 'last used', 'teams'], ...rows]));
      return 0;
    },
  },
  {
    name: 'member invite',
    summary: 'Invite somebody as owner, admin or member, and show the invitation token, which is not stored.',
    words: ['organisation', 'name', 'role'],
    settings,
    run: async ({ config, words: [organisation = '', name = '', role = ''], write, writeError }) => {
      const path = `${toOrganisationPath(organisation)}/invitations`;
      const answer = await callAdmin(config, { method: 'POST', path, body: { name, role } });
      const { token, expiresAt } = checkAnswer(NewInvitationAnswer, answer);
      writeError(
        `The token is shown only now. Give it to ${name}, who can accept it until ${formatTimeOrNever(expiresAt)} with: sluice member accept TOKEN\n`,
      );
      write(`${token}\n`);
      return 0;
    },
  },
  {
    name: 'member invitations',
    summary: 'List the invitations of an organisation that can still be accepted.',
    words: ['organisation'],
    settings,
    run: async ({ config, words: [organisation = ''], write }) => {
      const rows: string[][] = [];
      for await (const page of readAdminPages(config, `${toOrganisationPath(organisation)}/invitations`)) {
        for (const { name, role, expiresAt } of checkAnswer(InvitationsAnswer, page).invitations)
          rows.push([name, role, formatTimeOrNever(expiresAt)]);
      }
      write(renderTable([['invited', 'as', 'until'], ...rows]));
      return 0;
    },
  },
  {
    name: 'member revoke',
    summary: 'Revoke an invitation and its token.',
    words: ['organisation', 'name'],
    settings,
    run: async ({ config, words: [organisation = '', name = ''], write }) => {
      const path = `${toOrganisationPath(organisation)}/invitations/${encodeURIComponent(name)}`;
      await callAdmin(config, { method: 'DELETE', path });
      write(`revoked the invitation of ${name}\n`);
      return 0;
    },
  },
  {
    name: 'member accept',
    summary:
      "Become a member with the token of an invitation, and show the member's own token, which is not stored.",
    words: ['token'],
    settings,
    flags: [EXPIRES],
    run: async ({ config, words: [token = ''], flags, write, writeError }) => {
      const body = { token, ...parseExpiryFlag(flags) };
      const call = { method: 'POST', path: 'invitations/accept', body } as const;
      const accepted = checkAnswer(AcceptAnswer, await callAdmin(config, call));
      writeError(
        `${accepted.name} is ${accepted.role} of ${accepted.organisation}. The token is shown only now, and ${endText(accepted.tokenExpiresAt)}; commands take it as --admin-credential or SLUICE_ADMIN_CREDENTIAL.\n`,
      );
      write(`${accepted.token}\n`);
      return 0;
    },
  },
  {
    name: 'member role',
    summary: "Change a member's role: owner, admin or member.",
    words: ['organisation', 'member', 'role'],
    settings,
    run: async ({ config, words: [organisation = '', name = '', role = ''], write }) => {
      const path = memberPath(organisation, name);
      await callAdmin(config, { method: 'PATCH', path, body: { role } });
      write(`${name} is ${role} of ${organisation}\n`);
      return 0;
    },
  },
  {
    name: 'member remove',
    summary: 'Remove a member and its token, or leave an organisation.',
    words: ['organisation', 'member'],
    settings,
    run: async ({ config, words: [organisation = '', name = ''], write }) => {
      await callAdmin(config, { method: 'DELETE', path: memberPath(organisation, name) });
      write(`removed ${name} from ${organisation}\n`);
      return 0;
    },
  },
  {
    name: 'member token',
    summary: 'Replace the token of a member, and show the new one, which is not stored.',
    words: ['organisation', 'member'],
    settings,
    flags: [EXPIRES],
    run: async ({ config, words: [organisation = '', name = ''], flags, write, writeError }) => {
      const path = `${memberPath(organisation, name)}/token`;
      const call = { method: 'POST', path, body: parseExpiryFlag(flags) } as const;
      const { token, tokenExpiresAt } = checkAnswer(TokenAnswer, await callAdmin(config, call));
      writeError(`The token is shown only now, because it is not stored. It ${endText(tokenExpiresAt)}.\n`);
      write(`${token}\n`);
      return 0;
    },
  },
];

export const whoamiCommand: Command = {
  name: 'whoami',
  summary: 'Show whose credential the commands use, and its rights.',
  words: [],
  settings,
  run: async ({ config, write }) => {
    const answer = await callAdmin(config, { method: 'GET', path: 'me' });
    const { who, standing, rights } = checkAnswer(MeAnswer, answer);
    write(renderTable([['who', who], ['standing', standing], ...rights.map((right) => ['may', right])]));
    return 0;
  },
};

function memberPath(organisation: string, name: string): string {
  return `${toOrganisationPath(organisation)}/members/${encodeURIComponent(name)}`;
}

function parseExpiryFlag(flags: ReadonlyMap<string, string>): { readonly expiresAt?: number } {
  const expires = flags.get(EXPIRES.name);
  return expires === undefined ? {} : { expiresAt: parseTimeFlag(EXPIRES.name, expires, EXPIRES.allowed) };
}

function endText(expiresAt: number | null): string {
  return expiresAt === null ? 'never expires' : `expires at ${formatTimeOrNever(expiresAt)}`;
}
