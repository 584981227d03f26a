import { toConfig } from '../config/config.ts';
import { forgetSecrets } from '../config/forget-secrets.ts';
import { loadSettings } from '../config/load.ts';
import { ConfigInvalid, formatHint } from '../config/problems/problems.ts';
import { toFlag } from '../config/settings/kinds/setting.ts';
import { readPackageVersion } from '../common/package.ts';
import { OperatorError } from '../common/operator-error.ts';
import { formatForError } from '../common/format-for-error.ts';
import { Unavailable } from '../common/unavailable.ts';
import { pointAtInstance } from './admin-client/point-at-instance.ts';
import type { Command } from './command-line/command.ts';
import { type CommandLine, parseCommandLine, UsageError } from './command-line/command-line.ts';
import { BACKUP_COMMANDS } from './commands/backup.ts';
import { openCommand } from './commands/open.ts';
import { configCommand } from './commands/config.ts';
import { auditCommand } from './commands/platform/audit.ts';
import { doctorCommand } from './commands/doctor.ts';
import { dumpCommand } from './commands/network/dump.ts';
import { faucetCommand } from './commands/network/faucet.ts';
import { KEY_COMMANDS } from './commands/platform/key.ts';
import { MEMBER_COMMANDS, whoamiCommand } from './commands/platform/member.ts';
import { MAKER_COMMANDS } from './commands/network/maker.ts';
import { makerCheckCommand } from './commands/network/maker-check.ts';
import { portfolioCommand } from './commands/network/portfolio.ts';
import { NETWORK_CONTROL_COMMANDS } from './commands/network/network-control.ts';
import { PRICE_COMMANDS } from './commands/network/price.ts';
import { ORGANISATION_COMMANDS } from './commands/platform/organisation.ts';
import { landingShowCommand } from './commands/platform/landing.ts';
import { ORDER_COMMANDS } from './commands/platform/order.ts';
import { WAITING_ORDER_COMMANDS } from './commands/platform/waiting-order.ts';
import { PLAN_COMMANDS } from './commands/platform/plan.ts';
import { RULE_COMMANDS } from './commands/platform/rule.ts';
import { keeperCommand } from './commands/start/keeper.ts';
import { startCommand } from './commands/start/start.ts';
import { SEND_COMMANDS } from './commands/send/send.ts';
import { TEAM_COMMANDS } from './commands/platform/team.ts';
import { PREDICTION_COMMANDS } from './commands/prediction/prediction.ts';
import { TOKEN_COMMANDS } from './commands/network/token.ts';
import { VAULT_COMMANDS } from './commands/vault/vault.ts';
import { TRAFFIC_COMMANDS } from './commands/platform/traffic.ts';
import { renderCommandUsage, renderUsage, formatUsage } from './command-line/usage.ts';

export const COMMANDS: readonly Command[] = [
  startCommand,
  keeperCommand,
  openCommand,
  configCommand,
  doctorCommand,
  dumpCommand,
  faucetCommand,
  ...PRICE_COMMANDS,
  ...NETWORK_CONTROL_COMMANDS,
  portfolioCommand,
  ...SEND_COMMANDS,
  ...TOKEN_COMMANDS,
  ...PREDICTION_COMMANDS,
  ...ORGANISATION_COMMANDS,
  ...TEAM_COMMANDS,
  ...KEY_COMMANDS,
  ...RULE_COMMANDS,
  ...MAKER_COMMANDS,
  makerCheckCommand,
  ...TRAFFIC_COMMANDS,
  ...MEMBER_COMMANDS,
  landingShowCommand,
  ...ORDER_COMMANDS,
  ...WAITING_ORDER_COMMANDS,
  ...VAULT_COMMANDS,
  ...PLAN_COMMANDS,
  whoamiCommand,
  ...BACKUP_COMMANDS,
  auditCommand,
];

/** The dependencies of the command line on its process. It also uses files and sockets directly. */
export interface CliContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Reads one line of the standard input. On a terminal, it asks with the question. */
  readonly readLine: (question: string) => Promise<string>;
  /** Returns a signal for the first Ctrl-C, which then does not end the process. */
  readonly interrupted: () => AbortSignal;
}

/**
 * Runs a command. Errors are printed, never thrown.
 *
 * @param args - The words and flags after the name of the program.
 * @returns The exit code: 0, or 1 when the command failed, or 2 when its arguments or settings are wrong.
 *
 * @example
 * ```ts
 * import { runCli } from './cli.ts';
 *
 * const { argv, env, stdout, stderr } = process;
 * process.exitCode = await runCli(argv.slice(2), {
 *   environment: env,
 *   cwd: process.cwd(),
 *   write: (text) => void stdout.write(text),
 *   writeError: (text) => void stderr.write(text),
 *   readLine: async () => '',
 *   interrupted: () => new AbortController().signal,
 * });
 * ```
 */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  const { write, writeError } = context;
  try {
    const line = parseCommandLine(
      args,
      COMMANDS.flatMap(({ flags }) => flags ?? []),
    );
    if (line.version) {
      write(`${readPackageVersion()}\n`);
      return 0;
    }
    if (line.unknownFlags.length > 0) {
      throw new ConfigInvalid([...line.unknownFlags, ...problemsOfSettings(line, context)]);
    }
    const group = line.help || line.words[0] === HELP ? findGroup(line) : [];
    if (group.length > 0) {
      write(renderUsage(group));
      return 0;
    }
    const command = findCommand(line);
    if (command === null) {
      write(renderUsage(COMMANDS));
      return 0;
    }
    if (line.help || line.words[0] === HELP) {
      write(renderCommandUsage(command));
      return 0;
    }
    return await runCommand(command, line, context);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigInvalid) {
      writeError(`${error.message}\n`);
      return 2;
    }
    const text = error instanceof OperatorError ? error.message : formatFailure(error);
    writeError(`${text.replace(UNPRINTABLE, '\uFFFD')}\n`);
    return 1;
  }
}

/** Control characters but the end of a line. Some of what failed is told in the words of a distant machine. */
const UNPRINTABLE = /[^\P{C}\n]/gu;

/** Returns the problems of the settings, so that they are reported together with those of the command line. */
function problemsOfSettings(line: CommandLine, { environment, cwd }: CliContext): readonly string[] {
  try {
    loadSettings({ flags: line.flags, file: line.file, environment, cwd });
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.problems;
    throw error;
  }
}

/** Formats an error of the operating system with its call and file, and a defect of Sluice with its stack trace. */
function formatFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unavailable) return error.message;
  return 'syscall' in error ? `the system refused it: ${error.message}` : (error.stack ?? error.message);
}

async function runCommand(command: Command, line: CommandLine, context: CliContext): Promise<number> {
  const words = line.words.slice(command.name.split(' ').length);
  if (words.length !== command.words.length) {
    const given = words.length === 0 ? 'nothing' : words.map((word) => formatForError(word)).join(' ');
    throw new UsageError(`usage: sluice ${formatUsage(command)}; got ${given} after the command`);
  }
  const names: readonly string[] = [...command.settings, ...(command.flags ?? []).map(({ name }) => name)];
  for (const name of [...line.flags.keys(), ...line.commandFlags.keys()]) {
    if (!names.includes(name)) {
      throw new UsageError(
        `${toFlag(name)} is not a flag of sluice ${command.name}; see sluice ${command.name} --help`,
      );
    }
  }
  const { environment, cwd, write, writeError, readLine, interrupted } = context;
  const loaded = loadSettings({ flags: line.flags, file: line.file, environment, cwd });
  forgetSecrets(environment);
  const given = toConfig(loaded.settings, cwd);
  const config = WITHOUT_INSTANCE.includes(command) ? given : pointAtInstance(given, loaded);
  return command.run({
    config,
    loaded,
    words,
    flags: line.commandFlags,
    cwd,
    environment,
    write,
    writeError,
    readLine,
    interrupted,
  });
}

/** Commands that take the ports as they are configured, and not those of the instance that runs. */
const WITHOUT_INSTANCE: readonly Command[] = [startCommand, keeperCommand, doctorCommand];

/** `sluice help start` means `sluice start --help`. */
const HELP = 'help';

/** Returns the commands that begin with the words that were given, as `maker` in `sluice maker --help`. */
function findGroup({ words }: CommandLine): readonly Command[] {
  const [name, ...rest] = words[0] === HELP ? words.slice(1) : words;
  if (name === undefined || rest.length > 1) return [];
  return COMMANDS.filter((command) => command.name.startsWith(`${[name, ...rest].join(' ')} `));
}

/** Whether commands begin with the words and go on. */
function isGroup(words: readonly string[], names: readonly string[]): boolean {
  return names.some((name) => name.startsWith(`${words.join(' ')} `));
}

/**
 * Returns the command that the words name. Null when there are no words, for which the help is printed.
 *
 * @throws UsageError when there is no such command.
 */
function findCommand(line: CommandLine): Command | null {
  const words = line.words[0] === HELP ? line.words.slice(1) : line.words;
  const [name] = words;
  if (name === undefined) return null;
  const names = COMMANDS.map((candidate) => candidate.name);
  // Some commands have names of two or three words.
  const depth = [2, 1].find((count) => isGroup(words.slice(0, count), names)) ?? 0;
  const given = words.slice(0, depth + 1).join(' ');
  const command = COMMANDS.find((candidate) => candidate.name === given);
  if (command !== undefined) return command;
  const inGroup = names.filter((other) => other.startsWith(`${name} `));
  const suggested = inGroup.length > 0 ? inGroup : names;
  throw new UsageError(
    `${formatForError(given)} is not a command${formatHint(given, suggested)}; commands are ${suggested.join(', ')}`,
  );
}
