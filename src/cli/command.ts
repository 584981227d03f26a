import type { Config } from '../config/config.ts';
import type { LoadedSettings } from '../config/load.ts';
import type { SettingName } from '../config/settings.ts';

export interface CommandContext {
  readonly config: Config;
  readonly loaded: LoadedSettings;
  /** The words after the command's name, as many as `words` names. */
  readonly words: readonly string[];
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
  /** Resolves to the exit code. */
  readonly run: (context: CommandContext) => Promise<number>;
}
