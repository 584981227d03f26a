import { checkDeposit } from './deposit.ts';
import { checkEarnDeposit } from './earn-deposit.ts';
import { checkEarnWithdrawal } from './earn-withdrawal.ts';
import { checkFill } from './fill.ts';
import type { MessageToSign, SigningAddresses } from './message-to-sign.ts';

/**
 * Checks from its bytes alone that a message does what the request says, and nothing else with a signature of ours.
 *
 * @throws SigningRefused when it does anything else
 */
export function checkMessageToSign(request: MessageToSign, own: SigningAddresses): void {
  if (request.kind === 'deposit') {
    if (request.earnMint === undefined) checkDeposit(request, own);
    else checkEarnDeposit(request, request.earnMint, own.vault);
  } else if (request.kind === 'withdrawal') checkEarnWithdrawal(request, own);
  else checkFill(request, own.vault);
}
