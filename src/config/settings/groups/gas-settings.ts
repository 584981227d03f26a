import { resolve } from 'node:path';
import { Type } from 'typebox';
import { bps } from '../../../solana/units.ts';
import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { whole } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

const GENERAL_SETTINGS = {
  'gas-keypair': setting(
    Type.String({
      default: '',
      description:
        "Keypair file of the wallet that pays for the fills of orders that wait. `none`: such orders are not filled. Empty: the embedded network's own sponsor pays; with `production` or `rpc-url`, such orders are not filled.",
    }),
    {
      allowed: 'the path of a keypair file, or none',
      field: 'keypair',
      convert: toGasKeypairSource,
    },
  ),
  'order-fee-bps': setField(
    'feeBps',
    whole(
      0,
      0,
      255,
      'Platform fee of each fill of an order that waits, in basis points. The associated token account of the wallet that pays for fills collects it, for the token of the pair that fees are usually taken in, or else for the other one. Without either account, the fill is free of the fee.',
    ),
    bps,
  ),
};

const LIMIT_SETTINGS = {
  'gas-wallet-lamports-per-day': setField(
    'perWallet',
    lamports(20_000_000, 'the fills of the orders of one wallet may cost'),
  ),
  'gas-lamports-per-day': setField('inAll', lamports(1_000_000_000, 'all fills together may cost')),
};

/** The wallet that pays for the fills of orders that wait, its limits, and what it takes for them. */
export const GAS_SETTINGS = { ...GENERAL_SETTINGS, ...LIMIT_SETTINGS };

export type GasConfig = SettingFields<typeof GENERAL_SETTINGS> & {
  readonly limits: SettingFields<typeof LIMIT_SETTINGS>;
};

/** @param cwd - The folder from which relative paths start. */
export function toGasConfig(settings: SettingValues<typeof GAS_SETTINGS>, cwd: string): GasConfig {
  return {
    ...toFields(GENERAL_SETTINGS, settings, cwd),
    limits: toFields(LIMIT_SETTINGS, settings, cwd),
  };
}

/** @param what - Completes the description "Lamports that ... in a day". */
function lamports(usual: number, what: string) {
  return setting(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: usual,
      description: `Lamports that ${what} in a day of UTC, on all instances of one database together. A fill counts with the most that it can cost until its outcome is known. Orders wait beyond that.`,
    }),
    { allowed: 'a whole number from 0 to 9007199254740991', convert: BigInt },
  );
}

/**
 * Where the key of the wallet comes from that pays for fills. Null when orders that wait are not filled. `own` selects the
 * sponsor of the embedded network, if it has one.
 */
function toGasKeypairSource(named: string, cwd: string): { readonly file: string } | 'own' | null {
  if (named === 'none') return null;
  return named === '' ? 'own' : { file: resolve(cwd, named) };
}
