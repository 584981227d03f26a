import { renderTable } from '../../../config/render.ts';
import { KeysAnswer, NewKeyAnswer } from '../../../gateway/admin/platform-schema.ts';
import { ADMIN_SETTINGS, adminPages, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { asAnswer, teamPath, timeFlag, timeText } from '../../admin-client/platform-answers.ts';

const settings = ADMIN_SETTINGS;

const FLAGS: readonly CommandFlag[] = [
  {
    name: 'products',
    allowed: 'names with commas between, or all',
    description: 'Products that the key opens, such as swap. A new key opens all.',
  },
  {
    name: 'expires',
    allowed: 'a time such as 2027-01-31T00:00:00Z, or never',
    description: 'When the key ends. A new key never does.',
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
      for await (const page of adminPages(config, `${teamPath(team)}/keys`)) {
        for (const { name, products, expiresAt, lastUsedAt } of asAnswer(KeysAnswer, page).keys)
          rows.push([name, products?.join(',') ?? 'all', timeText(expiresAt), timeText(lastUsedAt)]);
      }
      write(renderTable([['key', 'products', 'expires', 'last used'], ...rows]));
      return 0;
    },
  },
  {
    name: 'key create',
    summary: 'Make a key for a team, and show it this once.',
    words: ['organisation/team', 'name'],
    settings,
    flags: FLAGS,
    run: async ({ config, words: [team = '', name = ''], flags, write, writeError }) => {
      const body = { name, ...termsOf(flags) };
      const path = `${teamPath(team)}/keys`;
      const { key } = asAnswer(NewKeyAnswer, await callAdmin(config, { method: 'POST', path, body }));
      writeError('The key is shown only now; it is kept nowhere.\n');
      write(`${key}\n`);
      return 0;
    },
  },
  {
    name: 'key change',
    summary: "Change a key's products or expiry; what is not given stays.",
    words: ['organisation/team', 'name'],
    settings,
    flags: FLAGS,
    run: async ({ config, words: [team = '', name = ''], flags, write }) => {
      const body = termsOf(flags);
      if (Object.keys(body).length === 0) throw new UsageError('give --products or --expires, or both');
      await callAdmin(config, { method: 'PATCH', path: keyPath(team, name), body });
      write(`changed the key ${team}/${name}\n`);
      return 0;
    },
  },
  {
    name: 'key delete',
    summary: 'Delete a key; it is refused from then on.',
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
  return `${teamPath(team)}/keys/${encodeURIComponent(name)}`;
}

function termsOf(flags: ReadonlyMap<string, string>) {
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
              : timeFlag('expires', expires, 'a time such as 2027-01-31T00:00:00Z, or never'),
        }),
  };
}
