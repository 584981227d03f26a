import { resolve } from 'node:path';
import { Type } from 'typebox';
import { type Address, address, parseAddress } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { repeatable, whole } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

/** The default mints in which fees are taken: stablecoins, and SOL, which the sponsor spends. */
const FEE_MINTS: readonly Address[] = [
  WRAPPED_SOL_MINT,
  address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), // USDC
  address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'), // USDT
];

const GENERAL_SETTINGS = {
  'sponsor-keypair': setting(
    Type.String({
      default: '',
      description:
        "Keypair file of the wallet that pays for the orders of takers with less than 0.01 SOL. It needs a token account for each `sponsor-fee-mint`. `none`: every taker pays. Empty: the embedded network's own sponsor pays; with `production` or `rpc-url`, every taker pays.",
    }),
    {
      allowed: 'the path of a keypair file, or none',
      field: 'keypair',
      convert: toKeypairSource,
    },
  ),
  'sponsor-least-dollars': setField(
    'leastDollars',
    whole(10, 0, 1_000_000, 'Smallest value, in US dollars, of a swap that is sponsored.'),
  ),
  'sponsor-fee-mint': setting(
    repeatable(
      'Mint that the sponsor takes its fee in. A swap is sponsored only if one of its two tokens is such a mint; name mints that trade in deep pools. None: SOL, USDC and USDT.',
    ),
    {
      allowed: 'the address of a mint',
      accepts: (text) => parseAddress(text) !== null,
      field: 'feeMints',
      convert: (mints) => (mints.length === 0 ? FEE_MINTS : mints.map((mint) => address(mint))),
    },
  ),
};

const LIMIT_SETTINGS = {
  'sponsor-taker-lamports': setField(
    'perTaker',
    lamports(20_000_000, 'the swaps of one taker may cost the sponsor'),
  ),
  'sponsor-lamports': setField('inAll', lamports(1_000_000_000, 'all swaps together may cost the sponsor')),
};

/** The wallet that pays for the swaps of takers without SOL, and its limits. */
export const SPONSOR_SETTINGS = { ...GENERAL_SETTINGS, ...LIMIT_SETTINGS };

export type SponsorConfig = SettingFields<typeof GENERAL_SETTINGS> & {
  readonly limits: SettingFields<typeof LIMIT_SETTINGS>;
};

export function toSponsorConfig(
  settings: SettingValues<typeof SPONSOR_SETTINGS>,
  cwd: string,
): SponsorConfig {
  return {
    ...toFields(GENERAL_SETTINGS, settings, cwd),
    limits: toFields(LIMIT_SETTINGS, settings, cwd),
  };
}

/** @param what - Completes the description "Lamports that ... within an hour". */
function lamports(usual: number, what: string) {
  return setting(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: usual,
      description: `Lamports that ${what} within an hour, on all instances of one database together. A swap counts with the most that it can cost until its outcome is known.`,
    }),
    { allowed: 'a whole number from 0 to 9007199254740991', convert: BigInt },
  );
}

/**
 * Where the key of the sponsor comes from. Null when every taker pays. `own` selects the sponsor of the embedded network, if
 * it has one.
 */
function toKeypairSource(named: string, cwd: string): { readonly file: string } | 'own' | null {
  if (named === 'none') return null;
  return named === '' ? 'own' : { file: resolve(cwd, named) };
}
