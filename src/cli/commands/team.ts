import { callAdmin } from '../admin-call.ts';
import type { Command } from '../command.ts';
import { teamPath } from '../platform-answers.ts';

const settings = ['admin-port'] as const;

export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'team create',
    summary: 'Make a team in an organisation.',
    words: ['organisation', 'team'],
    settings,
    run: async ({ config, words: [organisation = '', slug = ''], write }) => {
      const path = `organisations/${encodeURIComponent(organisation)}/teams`;
      await callAdmin(config.adminPort, { method: 'POST', path, body: { slug } });
      write(`made the team ${organisation}/${slug}\n`);
      return 0;
    },
  },
  {
    name: 'team delete',
    summary: 'Delete a team with its keys.',
    words: ['organisation/team'],
    settings,
    run: async ({ config, words: [team = ''], write }) => {
      await callAdmin(config.adminPort, { method: 'DELETE', path: teamPath(team) });
      write(`deleted the team ${team}\n`);
      return 0;
    },
  },
];
