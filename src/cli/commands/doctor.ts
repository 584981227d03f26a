import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { findExposureContradictions } from '../../config/settings/exposure.ts';
import { findUnpairedFiles } from '../../config/settings/groups/transport-settings.ts';
import { SETTING_NAMES, type SettingName } from '../../config/settings/settings.ts';
import { renderTable } from '../../config/render.ts';
import type { Command } from '../command-line/command.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'Check every store, RPC, port, file, clock and program that an instance with these settings needs.',
  words: [],
  settings: SETTING_NAMES,
  flags: [
    {
      name: 'json',
      allowed: null,
      description: 'Print the findings as one JSON object instead of a table.',
    },
  ],
  run: async ({ config, loaded: { settings, sources }, flags, write }) => {
    // These modules load the drivers of the servers, which other commands do not need.
    const [{ runExamination }, { listSecretTexts }, { SCHEMA_VERSION }] = await Promise.all([
      import('../doctor/run-examination.ts'),
      import('../doctor/secrets.ts'),
      import('../../app/tables.ts'),
    ]);
    const checks = await runExamination({
      config,
      contradictions: [
        ...findUnpairedFiles(settings, sources),
        ...findExposureContradictions(settings, sources),
      ],
      isDefault: (setting) => sources[setting as SettingName] === 'default',
      schemaVersion: SCHEMA_VERSION,
      secrets: listSecretTexts(settings),
      timers: SYSTEM_TIMERS,
    });
    const count = (status: string) => checks.filter((check) => check.status === status).length;
    const faults = count('fault');
    if (flags.has('json')) {
      write(`${JSON.stringify({ ok: faults === 0, checks })}\n`);
    } else {
      write(renderTable(checks.map(({ name, status, message }) => [MARKS[status], name, message])));
      const [warnings, found] = [formatCount(count('warning'), 'warning'), formatCount(faults, 'fault')];
      write(`${count('ok')} ok, ${warnings}, ${found}\n`);
    }
    return faults === 0 ? 0 : 1;
  },
};

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const MARKS = { ok: 'ok', warning: 'warning', fault: 'FAULT' } as const;
