import type { Chain } from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { VerificationRequests } from '../../../tokens/verification/requests.ts';
import { hasSucceeded, isConfirmed, searchAgain } from '../../../transactions/submit/transaction-lookup.ts';

export interface SettleDependencies {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly requests: Pick<VerificationRequests, 'unsettled' | 'reserve' | 'settle'>;
}

/**
 * Finds out what became of payments whose sender got no answer, because the process ended or the network did not say.
 * Several instances may do so at once: only the first note about a payment counts.
 *
 * @param milliseconds - Since which a payment must have been begun. The request that sends it waits for up to 120 seconds.
 * @throws Unavailable when the database does not answer
 */
export async function settlePayments(
  { chain, timers, requests }: SettleDependencies,
  milliseconds: number,
): Promise<void> {
  for (const { signature, lastValidBlockHeight } of await requests.unsettled(milliseconds)) {
    const found = await searchAgain(chain, timers, { signature, lastValidBlockHeight });
    if (found === 'denied') await requests.settle(signature, false);
    else if (isConfirmed(found)) await requests.settle(signature, found.error === null);
    else if (hasSucceeded(found)) await requests.reserve(signature);
  }
}
