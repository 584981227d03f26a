import { renderFlags } from '../../config/render.ts';
import { toFlag } from '../../config/settings/kinds/setting.ts';
import type { Command, CommandFlag } from './command.ts';

/** Returns the output of `sluice --help`. */
export function renderUsage(commands: readonly Command[]): string {
  const usages = commands.map(formatUsage);
  const width = Math.max(...usages.map((usage) => usage.length));
  const lines = commands.map(({ summary }, index) => `  ${(usages[index] ?? '').padEnd(width)}  ${summary}`);
  return `A self-hosted DeFi gateway for Solana, with a complete Solana network inside.

Usage: sluice <command> [flags]

${lines.join('\n')}

\`sluice <command> --help\` lists the flags of a command. Most flags are also environment variables and keys of
sluice.config.json; docs/configuration.md lists them.
`;
}

/** Returns the output of `sluice <command> --help`. */
export function renderCommandUsage(command: Command): string {
  return `${command.summary}

Usage: sluice ${formatUsage(command)} [flags]

${(command.flags ?? []).map(renderCommandFlag).join('')}  --config <the path of a JSON file>
      Configuration file. Default: sluice.config.json in the working directory, if there is one.
${renderFlags(command.settings)}
`;
}

export function formatUsage({ name, words }: Command): string {
  return [name, ...words.map((word) => `<${word}>`)].join(' ');
}

function renderCommandFlag({ name, short, allowed, description }: CommandFlag): string {
  const names = short === undefined ? toFlag(name) : `-${short}, ${toFlag(name)}`;
  return `  ${names}${allowed === null ? '' : ` <${allowed}>`}\n      ${description}\n`;
}
