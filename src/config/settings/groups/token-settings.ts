import { Type } from 'typebox';
import { parseAddress } from '../../../solana/address.ts';
import { toWalletOrNull } from '../kinds/kinds.ts';
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
      field: 'verificationWallet',
      convert: toWalletOrNull,
    },
  ),
};
