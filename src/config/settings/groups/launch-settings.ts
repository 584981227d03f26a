import { Type } from 'typebox';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { repeatable } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

/** The launches of tokens on bonding curves. */
export const LAUNCH_SETTINGS = {
  'graduate-config': setting(
    repeatable(
      "Configuration of Meteora's bonding curves whose launches Sluice migrates over `rpc-url` once their curve is complete, paid by the wallet of `gas-keypair`. The launches of the studio are migrated without it. On the embedded network, Sluice migrates all launches.",
    ),
    {
      allowed: 'a Solana address',
      accepts: (text) => parseAddress(text) !== null,
      field: 'graduatedConfigs',
      convert: (texts) => texts.map((text) => text as Address),
    },
  ),
  'graduation-lamports-per-day': setField(
    'lamportsPerDay',
    setting(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 2_000_000_000,
        description:
          'Lamports that the migrations of launches may cost in a day of UTC, rents included, on all instances of one database together. Launches that have raised less than 300 dollars get at most half of them. They do not count towards `gas-lamports-per-day`. Launches wait beyond that.',
      }),
      { allowed: 'a whole number from 0 to 9007199254740991', convert: BigInt },
    ),
  ),
};

export type LaunchConfig = SettingFields<typeof LAUNCH_SETTINGS>;

/** @param cwd - The folder from which relative paths start. */
export function toLaunchConfig(settings: SettingValues<typeof LAUNCH_SETTINGS>, cwd: string): LaunchConfig {
  return toFields(LAUNCH_SETTINGS, settings, cwd);
}
