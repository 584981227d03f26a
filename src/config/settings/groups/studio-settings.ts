import { Type } from 'typebox';
import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { isHttpUrl, wallet, whole } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

/** With more, the transaction of a launch with the longest name and symbol would not fit. */
const MAX_URL_LENGTH = 56;

/** The launches that the studio prepares. */
export const STUDIO_SETTINGS = {
  'studio-partner': setField(
    'partner',
    wallet(
      "Wallet that gets the operator's half of the trading fees and of the graduated liquidity of launches, and the few tokens that rounding leaves on a curve. Empty: the wallet of `gas-keypair` on the embedded network; over `rpc-url`, no launches are prepared.",
    ),
  ),
  'studio-url': setting(
    Type.String({
      default: '',
      description:
        'URL at which clients and browsers reach this gateway, without a path, such as `https://launch.example`. Launched tokens name it on the chain for good, as the place of their metadata. Empty: the address of `rest-port` on the embedded network; over `rpc-url`, no launches are prepared.',
    }),
    {
      allowed: `an http or https URL of at most ${MAX_URL_LENGTH} characters, without a path, user name or password`,
      accepts: (url) => url === '' || isOrigin(url),
      field: 'url',
      convert: (url) => (url === '' ? null : new URL(url).origin),
    },
  ),
  'studio-media-mib': setField(
    'mediaMib',
    whole(
      1_024,
      64,
      1_048_576,
      'MiB that the images, metadata and header images of launches may take, in the data folder, or in the database of `database-url`. A quarter of it may be taken by files whose token is not launched yet; they are removed after a day.',
    ),
  ),
};

export type StudioConfig = SettingFields<typeof STUDIO_SETTINGS>;

/** @param cwd - The folder from which relative paths start. */
export function toStudioConfig(settings: SettingValues<typeof STUDIO_SETTINGS>, cwd: string): StudioConfig {
  return toFields(STUDIO_SETTINGS, settings, cwd);
}

function isOrigin(text: string): boolean {
  if (!isHttpUrl(text)) return false;
  const { origin, href } = new URL(text);
  return origin.length <= MAX_URL_LENGTH && href === `${origin}/`;
}
