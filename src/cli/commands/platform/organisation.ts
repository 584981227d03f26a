import { renderTable } from '../../../config/render.ts';
import { OrganisationJson, OrganisationsAnswer } from '../../../gateway/admin/platform/platform-schema.ts';
import { ADMIN_SETTINGS, readAdminPages, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command } from '../../command-line/command.ts';
import { checkAnswer, toOrganisationPath, formatTimeOrNever } from '../../admin-client/platform-answers.ts';
import { toCreditRows } from './traffic.ts';

const settings = ADMIN_SETTINGS;

function toGivenOrganisationPath(words: readonly string[]): string {
  return toOrganisationPath(words[0] ?? '');
}

export const ORGANISATION_COMMANDS: readonly Command[] = [
  {
    name: 'org list',
    summary: 'List the organisations of the running instance.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const rows: string[][] = [];
      for await (const page of readAdminPages(config, 'organisations')) {
        for (const { slug, plan, createdAt } of checkAnswer(OrganisationsAnswer, page).organisations)
          rows.push([slug, plan, formatTimeOrNever(createdAt)]);
      }
      write(renderTable([['organisation', 'plan', 'created'], ...rows]));
      return 0;
    },
  },
  {
    name: 'org show',
    summary:
      "Show an organisation's plan and teams, its requests of the last 60 seconds and its credits of the month.",
    words: ['organisation'],
    settings,
    run: async ({ config, words, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: toGivenOrganisationPath(words) });
      const { slug, plan, teams, usage, credits } = checkAnswer(OrganisationJson, answer);
      const use = ({ current, limit }: { current: number | null; limit: number }) =>
        `${current ?? 'an unknown number'} of ${limit}`;
      const rows = [
        ['plan', plan],
        ['requests in 60 s', use(usage.main)],
        ['executions in 60 s', use(usage.execute)],
        ['submissions in 60 s', use(usage.submit)],
        ...(credits === undefined ? [] : toCreditRows(credits)),
        ...teams.map((team) => ['team', `${slug}/${team}`]),
      ];
      write(renderTable([['organisation', slug], ...rows]));
      return 0;
    },
  },
  {
    name: 'org create',
    summary: 'Create an organisation on a plan: free, developer, launch or pro.',
    words: ['organisation', 'plan'],
    settings,
    run: async ({ config, words: [slug = '', plan = ''], write }) => {
      await callAdmin(config, { method: 'POST', path: 'organisations', body: { slug, plan } });
      write(`created the organisation ${slug} on the plan ${plan}\n`);
      return 0;
    },
  },
  {
    name: 'org plan',
    summary: "Change an organisation's plan, from its next request on.",
    words: ['organisation', 'plan'],
    settings,
    run: async ({ config, words, write }) => {
      const [slug = '', plan = ''] = words;
      await callAdmin(config, { method: 'PATCH', path: toGivenOrganisationPath(words), body: { plan } });
      write(`${slug} is on the plan ${plan}\n`);
      return 0;
    },
  },
  {
    name: 'org delete',
    summary: 'Delete an organisation with its teams and keys.',
    words: ['organisation'],
    settings,
    run: async ({ config, words, write }) => {
      await callAdmin(config, { method: 'DELETE', path: toGivenOrganisationPath(words) });
      write(`deleted the organisation ${words[0]}\n`);
      return 0;
    },
  },
];
