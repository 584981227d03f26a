import { checkSubmission, type SubmissionProblem } from '../../../transactions/landing/check-submission.ts';
import type { EndpointRequest } from '../../endpoint.ts';
import type { LandingServices } from './services.ts';

/**
 * `busy`: the caller has the most transactions in flight that one caller may have. `full`: all callers together have
 * the most that there may be.
 */
export type AcceptProblem = SubmissionProblem | 'busy' | 'full';

export type SubmissionAcceptance =
  | { readonly ok: true; readonly signature: string }
  | { readonly ok: false; readonly error: { readonly code: AcceptProblem; readonly message: string } };

const BUSY = {
  code: 'busy',
  message:
    'Too many of your transactions are on their way; send this one again when some have landed or expired',
} as const;
const FULL = {
  code: 'full',
  message: 'Too many transactions are on their way; try again in a second',
} as const;

/**
 * Checks a transaction and starts to land it. It does not check whether the transaction would succeed, and does not
 * wait for the network.
 * @param base64 - The signed transaction.
 *
 * @example
 * ```ts
 * import { acceptTransaction } from './accept.ts';
 * import type { LandingServices } from './services.ts';
 *
 * async function isAccepted(services: LandingServices, base64: string): Promise<boolean> {
 *   const caller = { kind: 'organisation', id: 'acme' } as const;
 *   return (await acceptTransaction(services, base64, { caller, id: 'c0ffee' })).ok;
 * }
 * ```
 */
export async function acceptTransaction(
  services: LandingServices,
  base64: string,
  { caller, id }: Pick<EndpointRequest, 'caller' | 'id'>,
): Promise<SubmissionAcceptance> {
  const { lander, rules, onAccepted, onRefused } = services;
  const checked = await checkSubmission(base64, rules);
  if (!checked.ok) {
    onRefused(checked.error.code);
    return checked;
  }
  const { transaction } = checked;
  const submitted = lander.submit(transaction, caller, id);
  if (submitted.ok) {
    onAccepted();
    return { ok: true, signature: transaction.signature };
  }
  const error = submitted.error === 'submitter-is-full' ? BUSY : FULL;
  onRefused(error.code);
  return { ok: false, error };
}
