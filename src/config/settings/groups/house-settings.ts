import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { setField } from '../kinds/setting.ts';
import { onOrOff, wallet } from '../kinds/kinds.ts';

/** The platform fees that the operator takes, by the fee table of the public service. */
export const HOUSE_SETTINGS = {
  'house-fees': setField(
    null,
    onOrOff(
      false,
      'Take of every order the platform fee that the public service takes: 0 to 50 basis points by pair, as docs/swap.md lists them.',
    ),
  ),
  'house-fee-wallet': setField(
    'wallet',
    wallet(
      "Wallet whose associated token accounts collect `house-fees`. An order is free of the fee while the account for its token is missing. Empty: the sponsor's wallet.",
    ),
  ),
};

/** The wallet that receives the fees. Null for the sponsor's wallet. */
export type HouseConfig = SettingFields<typeof HOUSE_SETTINGS>;

/** Returns the configuration, or null when no fees are taken. */
export function toHouseConfig(settings: SettingValues<typeof HOUSE_SETTINGS>): HouseConfig | null {
  return settings['house-fees'] ? toFields(HOUSE_SETTINGS, settings, '') : null;
}
