import { renderTable } from '../../../config/render.ts';
import { TeamsAnswer } from '../../../gateway/admin/platform/platform-schema.ts';
import { TeamMembersAnswer } from '../../../gateway/admin/platform/member-schema.ts';
import { ADMIN_SETTINGS, readAdminPages, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command } from '../../command-line/command.ts';
import {
  checkAnswer,
  toOrganisationPath,
  parseTeamPath,
  formatTimeOrNever,
} from '../../admin-client/platform-answers.ts';

const settings = ADMIN_SETTINGS;

export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'team list',
    summary: 'List the teams of an organisation.',
    words: ['organisation'],
    settings,
    run: async ({ config, words: [organisation = ''], write }) => {
      const rows: string[][] = [];
      for await (const page of readAdminPages(config, `${toOrganisationPath(organisation)}/teams`)) {
        for (const { slug, createdAt } of checkAnswer(TeamsAnswer, page).teams)
          rows.push([`${organisation}/${slug}`, formatTimeOrNever(createdAt)]);
      }
      write(renderTable([['team', 'created'], ...rows]));
      return 0;
    },
  },
  {
    name: 'team create',
    summary: 'Create a team in an organisation.',
    words: ['organisation', 'team'],
    settings,
    run: async ({ config, words: [organisation = '', slug = ''], write }) => {
      const path = `${toOrganisationPath(organisation)}/teams`;
      await callAdmin(config, { method: 'POST', path, body: { slug } });
      write(`created the team ${organisation}/${slug}\n`);
      return 0;
    },
  },
  {
    name: 'team delete',
    summary: 'Delete a team with its keys.',
    words: ['organisation/team'],
    settings,
    run: async ({ config, words: [team = ''], write }) => {
      await callAdmin(config, { method: 'DELETE', path: parseTeamPath(team) });
      write(`deleted the team ${team}\n`);
      return 0;
    },
  },
  {
    name: 'team members',
    summary: 'List the members of a team.',
    words: ['organisation/team'],
    settings,
    run: async ({ config, words: [team = ''], write }) => {
      const rows: string[][] = [];
      for await (const page of readAdminPages(config, `${parseTeamPath(team)}/members`)) {
        for (const { name, role, since } of checkAnswer(TeamMembersAnswer, page).members)
          rows.push([name, role, formatTimeOrNever(since)]);
      }
      write(renderTable([['member', 'role', 'since'], ...rows]));
      return 0;
    },
  },
  {
    name: 'team add',
    summary:
      'Add a member of the organisation to a team, whose keys and firewall the member may then change.',
    words: ['organisation/team', 'member'],
    settings,
    run: async ({ config, words: [team = '', member = ''], write }) => {
      await callAdmin(config, { method: 'PUT', path: memberPath(team, member) });
      write(`added ${member} to the team ${team}\n`);
      return 0;
    },
  },
  {
    name: 'team remove',
    summary: 'Remove a member from a team, or leave it.',
    words: ['organisation/team', 'member'],
    settings,
    run: async ({ config, words: [team = '', member = ''], write }) => {
      await callAdmin(config, { method: 'DELETE', path: memberPath(team, member) });
      write(`removed ${member} from the team ${team}\n`);
      return 0;
    },
  },
];

function memberPath(team: string, member: string): string {
  return `${parseTeamPath(team)}/members/${encodeURIComponent(member)}`;
}
