/** One of the aggregator's own program errors. */
export interface AggregatorError {
  readonly code: number;
  readonly name: string;
  /** A sentence for people: what was wrong with the route. */
  readonly explanation: string;
}

const TABLE: readonly (readonly [name: string, explanation: string])[] = [
  ['EmptyRoute', 'The route plan has no steps'],
  ['SlippageToleranceExceeded', 'The route pays less than the quoted amount less the allowed slippage'],
  ['InvalidCalculation', 'An amount left its range, or slippage_bps is above 10000'],
  ['MissingPlatformFeeAccount', 'A platform fee is asked for and its account is missing'],
  ['InvalidSlippage', 'The slippage is out of range'],
  ['NotEnoughPercent', 'The shares of a split do not add up to the whole'],
  ['InvalidInputIndex', 'A step takes its input from an index that does not exist'],
  ['InvalidOutputIndex', 'A step delivers to an index above the number of steps'],
  ['NotEnoughAccountKeys', 'The instruction lists fewer accounts than its steps need'],
  ['NonZeroMinimumOutAmountNotSupported', 'A step asks for a minimum output of its own'],
  [
    'InvalidRoutePlan',
    'The route plan is empty, spends more than the whole, or does not end in the destination',
  ],
  ['InvalidReferralAuthority', 'The referral authority is not the expected one'],
  ['LedgerTokenAccountDoesNotMatch', 'The token ledger was set for another token account'],
  ['InvalidTokenLedger', 'The account given as token ledger is not one'],
  ['IncorrectTokenProgramID', 'The token program is not the one that the mint needs'],
  ['TokenProgramNotProvided', 'The token program that a mint needs is missing'],
  ['SwapNotSupported', 'The program does not carry out this kind of step'],
  ['ExactOutAmountNotMatched', 'The route pays another amount than the exact one asked for'],
  ['SourceAndDestinationMintCannotBeTheSame', 'Source and destination are the same mint'],
  ['InvalidMint', 'A mint is not that of its token account'],
  ['InvalidProgramAuthority', 'The program authority is not that of the given id'],
  ['InvalidOutputTokenAccount', 'The token account for the output is not the expected one'],
  ['InvalidFeeWallet', 'The fee wallet is not the expected one'],
  ['InvalidAuthority', 'The authority is not the expected one'],
  ['InsufficientFunds', 'The source account holds less than the input amount'],
  ['InvalidTokenAccount', 'An account that should be a token account is not'],
  ['BondingCurveAlreadyCompleted', 'The bonding curve has completed'],
];

const FIRST_CODE = 6000;

/** Codes 6000 to 6026, in order. */
export const AGGREGATOR_ERRORS: readonly AggregatorError[] = TABLE.map(([name, explanation], index) => ({
  code: FIRST_CODE + index,
  name,
  explanation,
}));

/** Null for a code that is not the aggregator's own. */
export function findAggregatorError(code: number): AggregatorError | null {
  return AGGREGATOR_ERRORS[code - FIRST_CODE] ?? null;
}
