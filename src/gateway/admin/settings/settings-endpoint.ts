import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { SettingsAnswer, type SettingsReportAnswer } from './settings-schema.ts';

/** Reports the settings of this process, and what its next start would read instead. */
export interface SettingsReports {
  /** @throws Unavailable when the files cannot be read in time */
  readonly read: () => Promise<SettingsReportAnswer>;
}

/** The settings of the instance. */
export const SETTINGS_ENDPOINT = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/settings',
  summary: 'Every setting with where it comes from, and what a restart would change',
  description:
    'The configuration file and the other files that a start reads are looked at again for each answer, one answer at a time. Flags and environment variables are those with which this process was started. Secrets are never in the answer, and neither is whether two of them are equal.',
  responses: { 200: SettingsAnswer },
  handle: ({ read }: SettingsReports) => read(),
});
