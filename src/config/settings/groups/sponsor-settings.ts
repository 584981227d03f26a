import { resolve } from 'node:path';
import { Type } from 'typebox';
import { type Address, address, parseAddress } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { repeatable, whole } from '../kinds/kinds.ts';
import { setting } from '../kinds/setting.ts';

/** The default mints in which fees are taken: stablecoins, and SOL, which the sponsor spends. */
const FEE_MINTS: readonly Address[] = [
  WRAPPED_SOL_MINT,
  address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), // USDC
  address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'), // USDT
];

/** The wallet that pays for the swaps of takers without SOL, and its limits. */
export const SPONSOR_SETTINGS = {
  'sponsor-keypair': setting(
    Type.String({
      default: '',
      description:
        "Keypair file of the wallet that pays for the orders of takers with less than 0.01 SOL. It needs a token account for each `sponsor-fee-mint`. `none`: every taker pays. Empty: the embedded network's own sponsor pays; with `production` or `rpc-url`, every taker pays.",
    }),
    { allowed: 'the path of a keypair file, or none' },
  ),
  'sponsor-least-dollars': whole(
    10,
    0,
    1_000_000,
    'Smallest value, in US dollars, of a swap that is sponsored.',
  ),
  'sponsor-fee-mint': setting(
    repeatable(
      'Mint that the sponsor takes its fee in. A swap is sponsored only if one of its two tokens is such a mint; name mints that trade in deep pools. None: SOL, USDC and USDT.',
    ),
    { allowed: 'the address of a mint', accepts: (text) => parseAddress(text) !== null },
  ),
  'sponsor-taker-lamports': lamports(20_000_000, 'the swaps of one taker may cost the sponsor'),
  'sponsor-lamports': lamports(1_000_000_000, 'all swaps together may cost the sponsor'),
};

export interface SponsorConfig {
  /** The key of the sponsor. Null when every taker pays. `own` selects the sponsor of the embedded network, if it has one. */
  readonly keypair: { readonly file: string } | 'own' | null;
  readonly leastDollars: number;
  /** The mints in which fees are taken. */
  readonly feeMints: readonly Address[];
  readonly limits: { readonly perTaker: bigint; readonly inAll: bigint };
}

interface SponsorSettings {
  readonly 'sponsor-keypair': string;
  readonly 'sponsor-least-dollars': number;
  readonly 'sponsor-fee-mint': readonly string[];
  readonly 'sponsor-taker-lamports': number;
  readonly 'sponsor-lamports': number;
}

export function toSponsorConfig(settings: SponsorSettings, cwd: string): SponsorConfig {
  const named = settings['sponsor-keypair'];
  const feeMints = settings['sponsor-fee-mint'];
  return {
    keypair: named === '' ? 'own' : named === 'none' ? null : { file: resolve(cwd, named) },
    leastDollars: settings['sponsor-least-dollars'],
    feeMints: feeMints.length === 0 ? FEE_MINTS : feeMints.map((mint) => address(mint)),
    limits: {
      perTaker: BigInt(settings['sponsor-taker-lamports']),
      inAll: BigInt(settings['sponsor-lamports']),
    },
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
    { allowed: 'a whole number from 0 to 9007199254740991' },
  );
}
