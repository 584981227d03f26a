import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { whole } from '../kinds/kinds.ts';
import { setField } from '../kinds/setting.ts';

/** The invites, by which a wallet sends with a code. */
export const SEND_SETTINGS = {
  'invite-days': setField(
    'lifetimeDays',
    whole(7, 1, 365, 'Days for which a new invite can be claimed. After that it goes back to its sender.'),
  ),
  'invite-history-days': setField(
    'historyDays',
    whole(0, 0, 36_500, 'Days for which invites are kept in the record after they have ended. 0: for ever.'),
  ),
};

export type SendConfig = SettingFields<typeof SEND_SETTINGS>;

/** @param cwd - The folder from which relative paths start. */
export function toSendConfig(settings: SettingValues<typeof SEND_SETTINGS>, cwd: string): SendConfig {
  return toFields(SEND_SETTINGS, settings, cwd);
}
