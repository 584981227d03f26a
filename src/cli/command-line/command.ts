import type { Config } from '../../config/config.ts';
import type { LoadedSettings } from '../../config/load.ts';
import type { SettingName } from '../../config/settings/settings.ts';

/** A flag that one command has besides its settings; its value is a text. */
export interface CommandFlag {
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What the value is, as `--help` puts it between angle brackets. */
  readonly allowed: string;
  readonly description: string;
}

export interface CommandContext {
  readonly config: Config;
  readonly loaded: LoadedSettings;
  /** The words after the command's name, as many as `words` names. */
  readonly words: readonly string[];
  /** The command's own flags that were given, by name. */
  readonly flags: ReadonlyMap<string, string>;
  /** The working directory, from which relative paths start. */
  readonly cwd: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What the words after the name are, for the usage line: all of them are required. */
  readonly words: readonly string[];
  /** The settings that it uses; other flags are refused. */
  readonly settings: readonly SettingName[];
  readonly flags?: readonly CommandFlag[];
  /** Resolves to the exit code. */
  readonly run: (context: CommandContext) => Promise<number>;
}
