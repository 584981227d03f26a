import type { Config } from '../../config/config.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { type DoctorCheck, fault, type NamedFinding, ok, runChecks } from './check.ts';
import { checkClock, type ServerTime } from './clock-check.ts';
import { listCustodyChecks } from './custody-checks.ts';
import { listDataChecks } from './data-checks.ts';
import { listFileChecks } from './file-checks.ts';
import { checkLaunches } from './launch-check.ts';
import { listMachineChecks } from './machine-checks.ts';
import { listNetworkChecks } from './network-checks.ts';
import { listPortChecks } from './port-checks.ts';
import { checkProgramOrders } from './program-order-check.ts';
import { listServerChecks, type NoteServerTime } from './server-checks.ts';

export interface Examination {
  readonly config: Config;
  /** What `sluice start` would refuse in the settings, one sentence each. */
  readonly contradictions: readonly string[];
  /** Whether nobody has given a setting a value. */
  readonly isDefault: (setting: string) => boolean;
  /** The newest version of the store's schema that this program knows. */
  readonly schemaVersion: number;
  /** Texts that must not be shown. */
  readonly secrets: readonly string[];
  readonly timers: Timers;
}

/** Checks everything that an instance with these settings needs, without changing any of it. */
export async function runExamination(examination: Examination): Promise<readonly NamedFinding[]> {
  const { config, contradictions, isDefault, schemaVersion, secrets, timers } = examination;
  const times: ServerTime[] = [];
  const noteTime: NoteServerTime = (server, time, isOfBlock = false) =>
    void times.push({ server, ahead: time - timers.now(), isOfBlock });
  const settings: DoctorCheck = {
    name: 'settings',
    run: () =>
      contradictions.length === 0 ? ok('they agree with each other') : fault(contradictions.join('; ')),
  };
  const checks = [
    settings,
    ...listMachineChecks(config),
    ...listDataChecks(config),
    ...listFileChecks(config, timers.now),
    ...listCustodyChecks(config),
    ...listServerChecks(config, schemaVersion, noteTime),
    ...listNetworkChecks(config, noteTime),
    { name: 'program orders', run: () => checkProgramOrders(config) },
    { name: 'launches', run: () => checkLaunches(config) },
    ...listPortChecks(config, isDefault),
  ];
  const findings = await runChecks(checks, secrets, timers);
  const clock: DoctorCheck = { name: 'clock', run: () => checkClock(times, config.dataDir, timers.now()) };
  return [...findings, ...(await runChecks([clock], secrets, timers))];
}
