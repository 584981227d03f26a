import { Check } from 'typebox/value';
import { formatForError } from '../common/format-for-error.ts';
import { getJsonType } from '../common/typed-text.ts';
import { isLoopbackHost } from './settings/kinds/loopback.ts';
import { findCustodyContradictions } from './settings/groups/custody-settings.ts';
import { findForecastContradictions } from './settings/groups/forecast-settings.ts';
import { findMakersContradictions } from './settings/groups/makers-settings.ts';
import { findStateContradictions } from './settings/groups/state-settings.ts';
import { findTransportContradictions } from './settings/groups/transport-settings.ts';
import { findOutsideContradictions } from './settings/groups/outside-settings.ts';
import { ConfigInvalid, formatUnlessSecret } from './problems/problems.ts';
import { getDefault, type Setting } from './settings/kinds/setting.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings } from './settings/settings.ts';
import { splitAddress } from './settings/kinds/kinds.ts';
import {
  CONFIG_FILE_VARIABLE,
  type FlagTexts,
  type GivenValue,
  isSet,
  readEnvironment,
  readFlags,
  type SourceReading,
} from './sources.ts';
import { type ConfigFilePlace, findConfigFile, readConfigFile, readConfigFileAgain } from './config-file.ts';

export interface ConfigInputs {
  readonly flags: FlagTexts;
  /** The path of the flag `--config`, or null when the flag is absent. */
  readonly file: string | null;
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** The source of each value, such as `default` or `flag --seed`. */
  readonly sources: Readonly<Record<SettingName, string>>;
  /** Where the configuration file is looked for. */
  readonly file: ConfigFilePlace;
  /**
   * Reads the settings as the next start of this process would, if it has the same flags and variables: the file is read again.
   *
   * @throws ConfigInvalid with everything for which it would be refused.
   */
  readonly readAgain: () => Promise<LoadedSettings>;
}

/**
 * Reads all settings. A flag takes precedence over the environment, the environment over the file, and the file over the
 * default.
 *
 * @throws ConfigInvalid with everything that is wrong in any source, even where another source takes precedence.
 *
 * @example
 * ```ts
 * import { toConfig } from './config.ts';
 * import { loadSettings } from './load.ts';
 *
 * const cwd = process.cwd();
 * const { settings, sources } = loadSettings({ flags: new Map(), file: null, environment: process.env, cwd });
 * console.log(sources['rest-port'], toConfig(settings, cwd).restPort); // default 8787
 * ```
 */
export function loadSettings(inputs: ConfigInputs): LoadedSettings {
  const variable = inputs.environment[CONFIG_FILE_VARIABLE];
  const file = findConfigFile(inputs.file ?? (isSet(variable) ? variable : null), inputs.cwd);
  // The variables with secrets are removed from the environment after this.
  const stronger = [readEnvironment(inputs.environment), readFlags(inputs.flags)];
  const resolveAll = (reading: SourceReading): LoadedSettings => ({
    ...resolveSettings([reading, ...stronger]),
    file,
    readAgain: async () => resolveAll(await readConfigFileAgain(file)),
  });
  return resolveAll(readConfigFile(file));
}

/** @throws ConfigInvalid with everything that is wrong. */
function resolveSettings(
  strongestLast: readonly SourceReading[],
): Pick<LoadedSettings, 'settings' | 'sources'> {
  const problems = strongestLast.flatMap((reading) => reading.problems);
  const effective = new Map<SettingName, GivenValue>();
  for (const name of SETTING_NAMES) {
    effective.set(name, { value: getDefault(SETTINGS[name]), source: 'default' });
    for (const reading of strongestLast) {
      const given = reading.given.get(name);
      if (given === undefined) continue;
      problems.push(...findValueProblems(name, given));
      effective.set(name, given);
    }
  }
  if (problems.length > 0) throw new ConfigInvalid(problems);
  const settings = toEntries(effective, (given) => given.value) as Settings;
  const sources = toEntries(effective, (given) => given.source) as Record<SettingName, string>;
  const contradictions = contradictionsIn(settings, sources);
  if (contradictions.length > 0) throw new ConfigInvalid(contradictions);
  return { settings, sources };
}

function findValueProblems(name: SettingName, { value, source }: GivenValue): string[] {
  const { schema, accepts, allowed, secret } = SETTINGS[name] as Setting;
  const isList = getJsonType(schema) === 'array';
  const refused = (found: unknown) =>
    `${name} from ${source} is ${formatUnlessSecret(found, secret)}, but must be ${allowed}${isList ? ', any number of times' : ''}`;
  if (!Check(schema, value)) return [refused(value)];
  const each: readonly unknown[] = Array.isArray(value) ? value : [value];
  return each.filter((element) => !accepts(element)).map(refused);
}

/** Returns the contradictions between settings, one sentence each. */
function contradictionsIn(settings: Settings, sources: LoadedSettings['sources']): string[] {
  const problems: string[] = [];
  // Ports that the operator chose come last, because the message is about the later one of two.
  const ownPorts = settings['rpc-url'] === '' ? (['rpc-port', 'ws-port'] as const) : [];
  const ports = (['rest-port', 'admin-port', 'grpc-port', ...ownPorts] as const)
    .filter((name) => settings[name] !== 0)
    .sort((left, right) => Number(sources[left] !== 'default') - Number(sources[right] !== 'default'));
  for (const [index, name] of ports.entries()) {
    const twin = ports.slice(0, index).find((other) => settings[other] === settings[name]);
    if (twin === undefined) continue;
    problems.push(
      `${name} from ${sources[name]} is ${settings[name]}, but ${twin} from ${sources[twin]} is the same port; each needs a port of its own`,
    );
  }
  for (const [name, host] of [
    ...(['host', 'admin-host', 'grpc-host'] as const).map((name) => [name, settings[name]] as const),
    ...(['landing-address', 'metrics-address'] as const).map(
      (name) => [name, splitAddress(settings[name])?.host ?? null] as const,
    ),
  ]) {
    if (host === null || isLoopbackHost(host) || settings['admin-credential'] !== '') continue;
    problems.push(
      `${name} from ${sources[name]} is ${formatForError(settings[name])}, but an address beyond this machine requires admin-credential, so that callers from there are authenticated`,
    );
  }
  if (settings.ephemeral && settings['database-url'] !== '') {
    problems.push(
      `ephemeral from ${sources.ephemeral} is true, but it cannot be combined with database-url from ${sources['database-url']}`,
    );
  }
  if (settings['country-header'] !== '' && settings['trusted-proxy'].length === 0) {
    problems.push(
      `country-header from ${sources['country-header']} is ${formatForError(settings['country-header'])}, but must be the name of a header, given together with trusted-proxy, because only a trusted proxy may set it`,
    );
  }
  if (settings.clone.length > 0 && settings['clone-from'] === '') {
    problems.push(
      `clone from ${sources.clone} is ${formatForError(settings.clone)}, but must be given together with clone-from`,
    );
  }
  return [
    ...problems,
    ...findMakersContradictions(settings, sources),
    ...findCustodyContradictions(settings, sources),
    ...findForecastContradictions(settings, sources),
    ...findStateContradictions(settings, sources),
    ...findTransportContradictions(settings, sources),
    ...findOutsideContradictions(settings, sources, SETTINGS),
  ];
}

function toEntries(
  given: ReadonlyMap<SettingName, GivenValue>,
  pick: (given: GivenValue) => unknown,
): object {
  return Object.fromEntries([...given].map(([name, entry]) => [name, pick(entry)]));
}
