import { resolve } from 'node:path';
import { renderTable } from '../../../config/render.ts';
import { RotationAnswer, VaultsAnswer } from '../../../gateway/admin/vaults/vault-schema.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { parseAddress } from '../../../solana/address.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer, formatTimeOrNever } from '../../admin-client/platform-answers.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { PAGE_FLAGS, writeNextPage } from '../platform/page-flags.ts';
import { awaitConfirmation } from './confirm.ts';

/** The settings with which an instance reads the keys of vaults. */
const KEY_SETTINGS = [
  'data-dir',
  'database-url',
  'production',
  'custody-key',
  'custody-key-file',
  'custody-key-command',
  'custody-previous-key',
  'custody-previous-key-file',
  'custody-previous-key-command',
] as const;

export const VAULT_COMMANDS: readonly Command[] = [
  {
    name: 'vault list',
    summary: 'List the vaults of wallets, with how many orders of each may hold money.',
    words: [],
    settings: ADMIN_SETTINGS,
    flags: PAGE_FLAGS,
    run: async ({ config, flags, write, writeError }) => {
      const path = `vaults?${new URLSearchParams([...flags])}`;
      const { vaults, next } = checkAnswer(VaultsAnswer, await callAdmin(config, { method: 'GET', path }));
      const rows = vaults.map(({ wallet, vault, orders, createdAt }) => [
        wallet,
        vault,
        String(orders),
        formatTimeOrNever(createdAt),
      ]);
      write(renderTable([['wallet', 'vault', 'orders', 'created'], ...rows]));
      writeNextPage(next, writeError);
      return 0;
    },
  },
  {
    name: 'vault rotate',
    summary:
      'Put the keys of all vaults under the current master key. The running instance has the one before as custody-previous-key.',
    words: [],
    settings: ADMIN_SETTINGS,
    run: async ({ config, write, interrupted }) => {
      const signal = interrupted();
      let rotated = 0;
      for (;;) {
        const answer = await callAdmin(config, { method: 'POST', path: 'vaults/rotate' });
        const step = checkAnswer(RotationAnswer, answer);
        rotated += step.rotated;
        if (step.left === 0) {
          write(`all keys are under the master key ${step.masterId}; ${rotated} were put under it now\n`);
          return 0;
        }
        write(`${rotated} keys are rotated, ${step.left} are left\n`);
        if (signal.aborted) {
          write('Interrupted. Run the command again to rotate the rest.\n');
          return 1;
        }
      }
    },
  },
  {
    name: 'vault export',
    summary:
      "Write the key of a wallet's vault into a keypair file. Its instance must be stopped, unless it has a database-url.",
    words: ['wallet'],
    settings: KEY_SETTINGS,
    flags: [
      {
        name: 'out',
        allowed: 'the path of a file',
        description: 'File that is written, which must not exist. Default: vault-WALLET.json.',
      },
      { name: 'yes', allowed: null, description: 'Do not ask for confirmation.' },
    ],
    run: async ({ config, words: [text = ''], flags, cwd, write }) => {
      const wallet = parseAddress(text);
      if (wallet === null)
        throw new UsageError(`the wallet is ${formatForError(text)}, but must be a Solana address`);
      const file = resolve(cwd, flags.get('out') ?? `vault-${wallet}.json`);
      const warning = `Whoever has the key of the vault of ${wallet} can take everything that its orders hold. Write it to ${file}?`;
      if (!flags.has('yes') && !(await awaitConfirmation(warning))) {
        write('Nothing was written.\n');
        return 1;
      }
      // This module loads the databases, which other commands do not need.
      const { saveVaultKey } = await import('./save-vault-key.ts');
      const vault = await saveVaultKey(config, wallet, file);
      write(`wrote the key of the vault ${vault} to ${file}\n`);
      return 0;
    },
  },
];
