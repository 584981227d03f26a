import { startApp } from '../../../app/app.ts';
import { renderBanner } from './banner.ts';
import { createReadyDocument } from './ready-document.ts';
import { type ProcessRun, runProcess } from './run-process.ts';

/** Runs an instance until a signal stops it. */
export function runInstance(run: ProcessRun): Promise<void> {
  return runProcess(run, async (config, logger) => {
    const app = await startApp(config, logger);
    return {
      renderBanner: (milliseconds) => renderBanner(app, milliseconds),
      createDocument: (milliseconds) => createReadyDocument(app, milliseconds),
      close: app.close,
    };
  });
}
