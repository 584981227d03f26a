import { Type } from 'typebox';
import { type Address, address, parseAddress } from '../../../solana/address.ts';
import { setting } from '../kinds/setting.ts';

/** The sale of requests for the verification of tokens. */
export const TOKEN_SETTINGS = {
  'token-verification-wallet': setting(
    Type.String({
      default: '',
      description:
        "Wallet whose associated token account for JUP collects what express verification of tokens costs: see docs/tokens.md. Empty: the sponsor's wallet; without a sponsor, verification is not sold.",
    }),
    {
      allowed: 'the address of a wallet',
      accepts: (text) => text === '' || parseAddress(text) !== null,
    },
  ),
};

/** Returns the wallet of the setting, or null when it is empty. */
export function findVerificationWallet(settings: {
  readonly 'token-verification-wallet': string;
}): Address | null {
  const wallet = settings['token-verification-wallet'];
  return wallet === '' ? null : address(wallet);
}
