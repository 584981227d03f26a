import { startApp } from '../../../app/app.ts';
import { recordStart } from '../../../app/settings/record-start.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import type { Config } from '../../../config/config.ts';
import type { ProcessSettings } from '../../../config/process-settings.ts';
import { runChecks } from '../../doctor/check.ts';
import { listFileChecks } from '../../doctor/file-checks.ts';
import { renderBanner } from './banner.ts';
import { createReadyDocument } from './ready-document.ts';
import { type ProcessRun, runProcess } from './run-process.ts';

/** Runs an instance until a signal stops it. */
export function runInstance(run: ProcessRun, settings: ProcessSettings): Promise<void> {
  return runProcess(run, async (config, logger) => {
    const app = await startApp(
      config,
      logger,
      await recordStart(config, settings, findFileFaults, Date.now()),
    );
    return {
      renderBanner: (milliseconds) => renderBanner(app, milliseconds),
      createDocument: (milliseconds) => createReadyDocument(app, milliseconds),
      close: app.close,
    };
  });
}

/** Checks files as `sluice doctor` does. Neither the checks nor their messages contain a secret. */
async function findFileFaults(config: Config, isConcerned: (setting: string) => boolean) {
  const checks = listFileChecks(config, Date.now).filter(({ name }) => isConcerned(name));
  const findings = await runChecks(checks, [], SYSTEM_TIMERS);
  return findings.filter(({ status }) => status === 'fault');
}
