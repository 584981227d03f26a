import { wallet } from '../kinds/kinds.ts';
import { setField } from '../kinds/setting.ts';

/** The sale of requests for the verification of tokens. */
export const TOKEN_SETTINGS = {
  'token-verification-wallet': setField(
    'verificationWallet',
    wallet(
      "Wallet whose associated token account for JUP collects what express verification of tokens costs: see docs/tokens.md. Empty: the sponsor's wallet; without a sponsor, verification is not sold.",
    ),
  ),
};
