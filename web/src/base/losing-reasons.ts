/** What the reasons of the ledger mean, as in `docs/orders.md`. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['price', 'another offer was better for the taker'],
  ['volume', 'what its book has free takes too little of the amount'],
  ['balance', 'its accounts do not hold what it quoted'],
  ['unusable', 'the swap with it would fail'],
  ['no-quote', 'it answered that it does not quote the swap'],
  ['late', 'it did not answer in time'],
  ['invalid', 'its answer is no quote of what was asked'],
  ['failed', 'its webhook could not be reached, or answered with an error'],
  ['not-asked', 'it was not asked'],
]);

/** Returns what a reason for losing means; a reason of a newer version is shown as it is. */
export function describeReason(reason: string): string {
  return MEANINGS.get(reason) ?? reason;
}
