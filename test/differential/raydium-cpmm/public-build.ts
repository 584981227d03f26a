import { RAYDIUM_CPMM_PROGRAM } from '../../../src/protocols/raydium-cpmm/program/program.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import type { Pool } from '../../../programs/raydium-cpmm/tests/fixture.ts';
import { type Allowances, readDump } from '../twin.ts';

/** Null when there is none to compare with. */
export const dump = readDump(RAYDIUM_CPMM_PROGRAM);

/** Builds before August 2025 know no creator fee. */
export const knowsCreatorFee = dump?.includes('CollectCreatorFee') ?? false;

/**
 * What builds before August 2025 do otherwise. Their observations have no time of the last update. They refuse a
 * swap that leaves the product of the reserves exactly as it was, and an exact output worth less than one atom of
 * input. They look later, or not at all, at amounts of zero and at withdrawals of more LP than there is.
 */
export function allowancesFor({ addresses }: Pool): Allowances {
  if (knowsCreatorFee) return {};
  return {
    masks: (address) => (address === addresses.observation ? [[4043, 8]] : []),
    expected: ({ data, accounts }, ours, theirs) => {
      const asked = Buffer.from(data);
      const isSwap = accounts.length === 13 && data.length === 24;
      if (ours.error === null) return isSwap && theirs.error?.custom === 2505 && isAtTheEdge(ours);
      if (isSwap) return ours.error.custom === 2505 && asked.readBigUInt64LE(16) === 0n;
      const isWithdrawal = accounts.length === 14;
      if (isWithdrawal && ours.error.custom === 2506) return true;
      return ours.error.custom === 6006 || (ours.error.custom === 2505 && asked.readBigUInt64LE(8) === 0n);
    },
  };
}

/** Whether a swap left the product of the reserves as it was, or cost less than an atom before rounding. */
function isAtTheEdge({ logs }: TestOutcome): boolean {
  const line = logs.find((each) => each.startsWith('Program data: ')) ?? '';
  const event = Buffer.from(line.slice('Program data: '.length), 'base64');
  const number = (at: number): bigint => event.readBigUInt64LE(at);
  const [reserveIn, reserveOut, input, output, tradeFee] = [40, 48, 56, 64, 153].map(number) as Five;
  const kept = (reserveIn + input - tradeFee) * (reserveOut - output) === reserveIn * reserveOut;
  return kept || reserveIn * output < reserveOut - output;
}

type Five = [bigint, bigint, bigint, bigint, bigint];
