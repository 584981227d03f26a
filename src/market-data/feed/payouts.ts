import type { ReportedTransaction } from '../../chain/reported-transactions.ts';
import type { Address } from '../../solana/address.ts';
import { type AssetFlow, decodeFlow, findLargestFlow } from './flows.ts';

/** How many accounts a payout is followed through within a call. */
const MAX_ACCOUNTS = 8;

/**
 * Computes what arrives of a payout: without the token's own fee, and without what a wrapper keeps or takes out of the
 * account again within the same call.
 *
 * @param flows - Everything that the call moved.
 */
export function computeArrivedAmount(
  transaction: ReportedTransaction,
  flows: readonly AssetFlow[],
  payout: AssetFlow,
): bigint {
  let last = payout;
  let left = computeAccountRemainder(transaction, flows, last.to);
  for (let accounts = 1; accounts < MAX_ACCOUNTS; accounts++) {
    // Where most of a payout leaves the account again, the account is a wrapper's, which keeps its fee.
    const onward = findLargestFlow(flows.filter(({ from }) => from === last.to));
    if (onward === null || onward.amount <= left) break;
    last = onward;
    left = computeAccountRemainder(transaction, flows, last.to);
  }
  return left > 0n ? left : last.amount - (last.fee ?? 0n);
}

function computeAccountRemainder(
  transaction: ReportedTransaction,
  flows: readonly AssetFlow[],
  account: Address,
): bigint {
  const rest = sumAccountFlows(flows, account);
  const untold = flows.reduce((sum, flow) => sum + getUntoldAmount(flow, account), 0n);
  return untold === 0n ? rest : rest - withheld(transaction, account, untold);
}

/**
 * Computes the part of a token's fee that falls to some of an account's payments, from what the account holds after the
 * transaction.
 *
 * @param amount - What those payments sent, of all that arrived with untold fees.
 * @returns rounded down; 0 if the balance does not tell it
 */
function withheld(transaction: ReportedTransaction, account: Address, amount: bigint): bigint {
  const { calls, preTokenBalances, postTokenBalances } = transaction;
  const held = (balances: typeof preTokenBalances) => balances().find((each) => each.account === account);
  const [before, after] = [held(preTokenBalances), held(postTokenBalances)];
  // An account of such a token can only be closed when it is empty.
  const change = (after?.amount ?? 0n) - (before?.amount ?? 0n);
  const all = calls.flatMap((call) => decodeFlow(call) ?? []);
  const missing = sumAccountFlows(all, account) - change;
  const untold = all.reduce((sum, flow) => sum + getUntoldAmount(flow, account), 0n);
  // Something else moved the tokens.
  if (missing <= 0n || missing >= untold) return 0n;
  return (missing * amount) / untold;
}

/** What flows leave in an account, without the fees that they do not tell. */
function sumAccountFlows(flows: readonly AssetFlow[], account: Address): bigint {
  return flows.reduce(
    (left, { from, to, amount, fee }) =>
      left + (to === account ? amount - (fee ?? 0n) : 0n) - (from === account ? amount : 0n),
    0n,
  );
}

function getUntoldAmount({ to, amount, fee }: AssetFlow, account: Address): bigint {
  return fee === null && to === account ? amount : 0n;
}
