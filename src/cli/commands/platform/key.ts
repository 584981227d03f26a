import { renderTable } from '../../../config/render.ts';
import { KeysAnswer, NewKeyAnswer } from '../../../gateway/admin/platform/platform-schema.ts';
import { ADMIN_SETTINGS, readAdminPages, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import {
  checkAnswer,
  parseTeamPath,
  parseTimeFlag,
  formatTimeOrNever,
} from '../../admin-client/platform-answers.ts';

const settings = ADMIN_SETTINGS;

const FLAGS: readonly CommandFlag[] = [
  {
    name: 'products',
    allowed: 'names separated by commas, or all',
    description: 'Products that the key opens, such as swap. Default for a new key: all.',
  },
  {
    name: 'expires',
    allowed: 'a time such as 2027-01-31T00:00:00Z, or never',
    description: 'When the key expires. Default for a new key: never.',
  },
];

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'key list',
    summary: 'List the keys of a team.',
    words: ['organisation/team'],
    settings,
    run: async ({ config, words: [team = ''], write }) => {
      const rows: string[][] = [];
      for await (const page of readAdminPages(config, `${parseTeamPath(team)}/keys`)) {
        for (const { name, excerpt, products, expiresAt, lastUsedAt } of checkAnswer(KeysAnswer, page).keys) {
          const opens = products?.join(',') ?? 'all';
          rows.push([
            name,
            excerpt ?? 'unknown',
            opens,
            formatTimeOrNever(expiresAt),
            formatTimeOrNever(lastUsedAt),
          ]);
        }
      }
      write(renderTable([['name', 'key', 'products', 'expires', 'last used'], ...rows]));
      return 0;
    },
  },
  {
    name: 'key create',
    summary: 'Create a key for a team, and show it. It is not stored.',
    words: ['organisation/team', 'name'],
    settings,
    flags: FLAGS,
    run: async ({ config, words: [team = '', name = ''], flags, write, writeError }) => {
      const body = { name, ...parseKeyTerms(flags) };
      const path = `${parseTeamPath(team)}/keys`;
      const { key } = checkAnswer(NewKeyAnswer, await callAdmin(config, { method: 'POST', path, body }));
      writeError('The key is shown only now, because it is not stored.\n');
      write(`${key}\n`);
      return 0;
    },
  },
  {
    name: 'key change',
    summary: "Change a key's products or expiry. What is not given stays as it is.",
    words: ['organisation/team', 'name'],
    settings,
    flags: FLAGS,
    run: async ({ config, words: [team = '', name = ''], flags, write }) => {
      const body = parseKeyTerms(flags);
      if (Object.keys(body).length === 0) throw new UsageError('give --products or --expires, or both');
      await callAdmin(config, { method: 'PATCH', path: keyPath(team, name), body });
      write(`changed the key ${team}/${name}\n`);
      return 0;
    },
  },
  {
    name: 'key rename',
    summary: 'Rename a key. Firewall rules that name it follow.',
    words: ['organisation/team', 'name', 'new name'],
    settings,
    run: async ({ config, words: [team = '', name = '', newName = ''], write }) => {
      await callAdmin(config, { method: 'PATCH', path: keyPath(team, name), body: { name: newName } });
      write(`renamed the key ${team}/${name} to ${newName}\n`);
      return 0;
    },
  },
  {
    name: 'key delete',
    summary: 'Delete a key, which is then refused.',
    words: ['organisation/team', 'name'],
    settings,
    run: async ({ config, words: [team = '', name = ''], write }) => {
      await callAdmin(config, { method: 'DELETE', path: keyPath(team, name) });
      write(`deleted the key ${team}/${name}\n`);
      return 0;
    },
  },
];

function keyPath(team: string, name: string): string {
  return `${parseTeamPath(team)}/keys/${encodeURIComponent(name)}`;
}

function parseKeyTerms(flags: ReadonlyMap<string, string>) {
  const products = flags.get('products');
  const expires = flags.get('expires');
  return {
    ...(products === undefined ? {} : { products: products === 'all' ? null : products.split(',') }),
    ...(expires === undefined
      ? {}
      : {
          expiresAt:
            expires === 'never'
              ? null
              : parseTimeFlag('expires', expires, 'a time such as 2027-01-31T00:00:00Z, or never'),
        }),
  };
}
