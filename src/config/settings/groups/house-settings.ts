import { Type } from 'typebox';
import { type Address, address, parseAddress } from '../../../solana/address.ts';
import { onOrOff } from '../kinds/kinds.ts';
import { setting } from '../kinds/setting.ts';

/** The platform fees that the operator takes, by the fee table of the public service. */
export const HOUSE_SETTINGS = {
  'house-fees': onOrOff(
    false,
    'Take of every order the platform fee that the public service takes: 0 to 50 basis points by pair, as docs/swap.md lists them.',
  ),
  'house-fee-wallet': setting(
    Type.String({
      default: '',
      description:
        "Wallet whose associated token accounts collect `house-fees`. An order is free of the fee while the account for its token is missing. Empty: the sponsor's wallet.",
    }),
    {
      allowed: 'the address of a wallet',
      accepts: (text) => text === '' || parseAddress(text) !== null,
    },
  ),
};

interface HouseSettings {
  readonly 'house-fees': boolean;
  readonly 'house-fee-wallet': string;
}

export interface HouseConfig {
  /** The wallet that receives the fees. Null for the sponsor's wallet. */
  readonly wallet: Address | null;
}

/** Returns the configuration, or null when no fees are taken. */
export function toHouseConfig(settings: HouseSettings): HouseConfig | null {
  if (!settings['house-fees']) return null;
  const wallet = settings['house-fee-wallet'];
  return { wallet: wallet === '' ? null : address(wallet) };
}
