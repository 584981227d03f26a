import { configOf } from '../config/config.ts';
import { forgetSecrets } from '../config/forget-secrets.ts';
import { loadSettings } from '../config/load.ts';
import { ConfigInvalid, hint } from '../config/problems/problems.ts';
import { flagOf } from '../config/settings/setting.ts';
import { packageVersion } from '../common/package.ts';
import { OperatorError } from '../common/operator-error.ts';
import { formatForError } from '../common/format-for-error.ts';
import { Unavailable } from '../common/unavailable.ts';
import type { Command } from './command-line/command.ts';
import { type CommandLine, parseCommandLine, UsageError } from './command-line/command-line.ts';
import { BACKUP_COMMANDS } from './commands/backup.ts';
import { configCommand } from './commands/config.ts';
import { auditCommand } from './commands/platform/audit.ts';
import { dumpCommand } from './commands/network/dump.ts';
import { faucetCommand } from './commands/network/faucet.ts';
import { KEY_COMMANDS } from './commands/platform/key.ts';
import { MEMBER_COMMANDS, whoamiCommand } from './commands/platform/member.ts';
import { MAKER_COMMANDS } from './commands/network/maker.ts';
import { makerCheckCommand } from './commands/network/maker-check.ts';
import { ORGANISATION_COMMANDS } from './commands/platform/organisation.ts';
import { planListCommand } from './commands/platform/plan.ts';
import { RULE_COMMANDS } from './commands/platform/rule.ts';
import { startCommand } from './commands/start/start.ts';
import { TEAM_COMMANDS } from './commands/platform/team.ts';
import { TRAFFIC_COMMANDS } from './commands/platform/traffic.ts';
import { renderCommandUsage, renderUsage, usageOf } from './command-line/usage.ts';

export const COMMANDS: readonly Command[] = [
  startCommand,
  configCommand,
  dumpCommand,
  faucetCommand,
  ...ORGANISATION_COMMANDS,
  ...TEAM_COMMANDS,
  ...KEY_COMMANDS,
  ...RULE_COMMANDS,
  ...MAKER_COMMANDS,
  makerCheckCommand,
  ...TRAFFIC_COMMANDS,
  ...MEMBER_COMMANDS,
  planListCommand,
  whoamiCommand,
  ...BACKUP_COMMANDS,
  auditCommand,
];

/** The outside world, as far as a command touches it besides files and sockets. */
export interface CliContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Resolves to the exit code: 0, 1 when the command failed, 2 when it was called wrongly. */
export async function runCli(args: readonly string[], surroundings: CliContext): Promise<number> {
  const { write, writeError } = surroundings;
  try {
    const line = parseCommandLine(
      args,
      COMMANDS.flatMap(({ flags }) => flags ?? []),
    );
    if (line.version) {
      write(`${packageVersion()}\n`);
      return 0;
    }
    const command = commandOf(line);
    if (command === null) {
      write(renderUsage(COMMANDS));
      return 0;
    }
    if (line.help || line.words[0] === HELP) {
      write(renderCommandUsage(command));
      return 0;
    }
    return await runCommand(command, line, surroundings);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigInvalid) {
      writeError(`${error.message}\n`);
      return 2;
    }
    if (error instanceof OperatorError) {
      writeError(`${error.message}\n`);
      return 1;
    }
    writeError(`${failureOf(error)}\n`);
    return 1;
  }
}

/** The system says what it refused and of which file; of a defect of ours the place in the program is told. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unavailable) return error.message;
  return 'syscall' in error ? `the system refused it: ${error.message}` : (error.stack ?? error.message);
}

async function runCommand(command: Command, line: CommandLine, surroundings: CliContext): Promise<number> {
  const words = line.words.slice(command.name.split(' ').length);
  if (words.length !== command.words.length) {
    const given = words.length === 0 ? 'nothing' : words.map((word) => formatForError(word)).join(' ');
    throw new UsageError(`usage: sluice ${usageOf(command)}; given was ${given} after the command`);
  }
  const names: readonly string[] = [...command.settings, ...(command.flags ?? []).map(({ name }) => name)];
  for (const name of [...line.flags.keys(), ...line.commandFlags.keys()]) {
    if (!names.includes(name)) {
      throw new UsageError(
        `${flagOf(name)} is not a flag of sluice ${command.name}; see sluice ${command.name} --help`,
      );
    }
  }
  const { environment, cwd, write, writeError } = surroundings;
  const loaded = loadSettings({ flags: line.flags, file: line.file, environment, cwd });
  forgetSecrets(environment);
  const config = configOf(loaded.settings, cwd);
  return command.run({ config, loaded, words, flags: line.commandFlags, cwd, write, writeError });
}

/** `sluice help start` is `sluice start --help`, as it is with many programs. */
const HELP = 'help';

/** Null when none is named, which asks for help. */
function commandOf(line: CommandLine): Command | null {
  const words = line.words[0] === HELP ? line.words.slice(1) : line.words;
  const [name] = words;
  if (name === undefined) return null;
  const names = COMMANDS.map((candidate) => candidate.name);
  // Some names are two words.
  const given = names.some((other) => other.startsWith(`${name} `)) ? words.slice(0, 2).join(' ') : name;
  const command = COMMANDS.find((candidate) => candidate.name === given);
  if (command !== undefined) return command;
  const ofGroup = names.filter((other) => other.startsWith(`${name} `));
  const offered = ofGroup.length > 0 ? ofGroup : names;
  throw new UsageError(
    `${formatForError(given)} is not a command${hint(given, offered)}; commands are ${offered.join(', ')}`,
  );
}
