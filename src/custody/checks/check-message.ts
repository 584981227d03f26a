import { checkDeposit } from './deposit.ts';
import { checkFill } from './fill.ts';
import type { MessageToSign, SigningAddresses } from './message-to-sign.ts';
import { checkWithdrawal } from './withdrawal.ts';

/**
 * Checks from its bytes alone that a message does what the request says, and nothing else with a signature of ours.
 *
 * @throws SigningRefused when it does anything else
 */
export function checkMessageToSign(request: MessageToSign, own: SigningAddresses): void {
  if (request.kind === 'deposit') checkDeposit(request, own);
  else if (request.kind === 'withdrawal') checkWithdrawal(request, own);
  else checkFill(request, own.vault);
}
