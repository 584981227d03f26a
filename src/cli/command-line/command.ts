import type { Config } from '../../config/config.ts';
import type { LoadedSettings } from '../../config/load.ts';
import type { SettingName } from '../../config/settings/settings.ts';

/** A flag of one command that is not a setting. Its value is text; that of a switch is `true`. */
export interface CommandFlag {
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** A description of allowed values, which `--help` shows between angle brackets. Null for a switch, which has no value. */
  readonly allowed: string | null;
  readonly description: string;
}

export interface CommandContext {
  readonly config: Config;
  readonly loaded: LoadedSettings;
  /** The words after the command's name, as many as the command's `words`. */
  readonly words: readonly string[];
  /** The command's own flags that were given, by name. */
  readonly flags: ReadonlyMap<string, string>;
  /** The working directory, from which relative paths start. */
  readonly cwd: string;
  /** The environment variables, without those of secret settings. */
  readonly environment: NodeJS.ProcessEnv;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Reads one line of the standard input. On a terminal, it asks with the question. */
  readonly readLine: (question: string) => Promise<string>;
  /** Returns a signal for the first Ctrl-C, which then does not end the process. */
  readonly interrupted: () => AbortSignal;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Names of the words after the command's name, for the usage line. All are required. */
  readonly words: readonly string[];
  /** The settings that the command uses. The flags of other settings are refused. */
  readonly settings: readonly SettingName[];
  readonly flags?: readonly CommandFlag[];
  /** Resolves to the exit code. */
  readonly run: (context: CommandContext) => Promise<number>;
}
