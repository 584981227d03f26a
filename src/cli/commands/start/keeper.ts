import type { Config } from '../../../config/config.ts';
import { ConfigInvalid } from '../../../config/problems/problems.ts';
import { SETTING_NAMES, type SettingName } from '../../../config/settings/settings.ts';
import type { Command } from '../../command-line/command.ts';
import { createReadyFlags, parseBannerFlag, parseReadyFile } from './ready-flags.ts';
import { delayWasmOptimisation, disablePretenuring } from './v8-flags.ts';

/** What a process uses that fills orders and serves nothing but its metrics and health. */
const USED = [
  'data-dir',
  'blockhash-slots',
  'stop-timeout-ms',
  'otlp-endpoint',
  'trace-share',
  'metrics-address',
  'database-url',
  'key-secret',
  'log-level',
  'log-format',
  'production',
  'max-body-bytes',
  'max-header-bytes',
  'request-timeout-ms',
  'idle-timeout-ms',
  'max-connections',
] as const satisfies readonly SettingName[];
/** The groups whose settings it uses, by the beginnings of their names. */
const USED_GROUPS = ['rpc-', 'trigger-', 'gas-', 'order-fee-', 'custody-'];
/** Settings of these groups that only products use. */
const UNUSED = ['rpc-send-url', 'rpc-ethena-vault', 'rpc-rare-searches', 'trigger-challenge-text'];

export const keeperCommand: Command = {
  name: 'keeper',
  summary: 'Fill orders that wait for a price, beside the instances that serve them, until Ctrl-C.',
  words: [],
  settings: SETTING_NAMES.filter(isUsed),
  flags: createReadyFlags('the data folder and the URL of the metrics'),
  run: async ({ config, flags, cwd, write, writeError }) => {
    const problems = findKeeperProblems(config);
    if (problems.length > 0) throw new ConfigInvalid(problems);
    const banner = parseBannerFlag(flags);
    const readyFile = parseReadyFile(flags, cwd);
    disablePretenuring();
    delayWasmOptimisation();
    // This module loads most of the gateway, so only this command imports it.
    const { runKeeper } = await import('./run-keeper.ts');
    await runKeeper({ config, banner, readyFile, write, writeError });
    return 0;
  },
};

function isUsed(name: SettingName): boolean {
  if ((USED as readonly string[]).includes(name)) return true;
  return USED_GROUPS.some((group) => name.startsWith(group)) && !UNUSED.includes(name);
}

/** Returns what a keeper lacks that another process has to share with it, one sentence each. */
function findKeeperProblems({ databaseUrl, outside, keySecret, custody, gas }: Config): string[] {
  const problems: string[] = [];
  if (databaseUrl === null) {
    problems.push(
      'sluice keeper needs database-url: without it, orders are in the data folder of an instance, which fills them itself',
    );
  }
  if (outside === null) {
    problems.push(
      'sluice keeper needs rpc-url: the embedded network belongs to the instance that runs it, which fills its orders itself',
    );
  }
  if (keySecret === null) {
    problems.push('sluice keeper needs key-secret: the one of the instances on the same database');
  }
  if (custody.key === null) {
    problems.push(
      'sluice keeper needs custody-key-file, or another setting for the master key: the one of the instances on the same database',
    );
  }
  if (gas.keypair === null || gas.keypair === 'own') {
    problems.push('sluice keeper needs gas-keypair: the wallet that pays for fills');
  }
  return problems;
}
