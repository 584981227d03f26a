/** What a transaction failed for, as far as advice differs. */
export type FailureKind =
  | 'slippage'
  | 'lamports'
  | 'tokens'
  | 'rent'
  | 'compute'
  | 'blockhash'
  | 'processed'
  | 'missing-account'
  | 'wrong-account'
  | 'authority'
  | 'frozen'
  | 'expired'
  | 'liquidity'
  | 'price'
  | 'closed'
  | 'program-missing'
  | 'input'
  | 'range'
  | 'injected'
  | 'other';

/** What one can do about each kind of failure. */
export const FAILURE_ADVICE: Readonly<Record<FailureKind, string>> = {
  slippage:
    'The price moved between the quote and the landing, or the pool is too small for the amount. Ask for a new order and sign it at once, allow more slippage, or swap less.',
  lamports:
    'Give the account that pays enough SOL for the amount, the fee, and the rent of accounts that are created, or move less.',
  tokens:
    'Check the balance of the token account that pays, and that the tokens are not in another account of the wallet. Then ask for a new order with an amount that it holds.',
  rent: 'An account must hold the rent for its size, or nothing at all. Leave more SOL in it, or close it.',
  compute:
    'Set a higher compute unit limit (at most 1,400,000), or do less in one transaction. Simulate it first: the log says how many units each program uses.',
  blockhash:
    'A blockhash expires after 150 blocks, about a minute. Get a new one, or ask for a new order, and sign and send it at once.',
  processed: 'It landed before. Look up its signature for the outcome, and do not send it again.',
  'missing-account':
    'An account that the program needs does not exist yet. Create it first (a token account with createIdempotent, for instance), or check that its address and network are right.',
  'wrong-account':
    'An account is not the one that the program expects at its place. Check the order of the accounts, their addresses, and which program and mint they belong to.',
  authority:
    'The signer may not do this with the account. Check who its owner or authority is, and that this wallet has signed.',
  frozen:
    'The authority of the mint has frozen the account. Nobody can move its tokens until that authority thaws it.',
  expired: 'The time for it is over. Ask for a new one, and sign and send it before its expiry.',
  liquidity: 'The pool or market holds too little for the amount. Take a smaller amount, or another route.',
  price:
    'The program does not accept the price that its feed or pool has now. Wait for a fresh price, or ask for a new order.',
  closed:
    'The pool, market or program does not accept this at present. Look at its account for its state. A new order takes another route.',
  'program-missing':
    'No program runs at this address on this network. Check the address, and whether the network has the program.',
  input:
    'The data of the instruction is not what the program accepts. Check how the instruction was built, and the versions of its client library and of the program.',
  range: 'An amount left the range in which the program computes. Check amounts and decimals.',
  injected:
    'Faults of the network fail the next transactions on purpose. Look at the faults in the controls, remove them, and send a new transaction.',
  other:
    'Read the lines of the log above the failure: programs say there what they checked. Simulate the transaction again after a change, before it is sent.',
};

/** Names of errors, as programs and the runtime have them, by what they mean for the one who sent the transaction. */
const BY_NAME: readonly (readonly [names: RegExp, kind: FailureKind])[] = [
  [
    /slippage|TooLittle|TooMuchInput|MinimumNotMet|(Below|LessThan).*Min|(Above|Exceeds?).*(Max$|Maximum|InMax)|NotEnoughAmountOut|AmountOutBelow|AmountInAbove|ExactOutAmountNotMatched/i,
    'slippage',
  ],
  [/ForRent|NotRentExempt|RentExempt|RentPaying/i, 'rent'],
  [/ForFee$|ResultWithNegativeLamports|Lamports/i, 'lamports'],
  [/ComputationalBudget|ComputeBudget|MaxLoadedAccountsDataSize|MaxInstructionTrace/i, 'compute'],
  [/Blockhash/i, 'blockhash'],
  [/AlreadyProcessed/i, 'processed'],
  [/Frozen/i, 'frozen'],
  [/Expired|Deadline|TooLate|NotStarted/i, 'expired'],
  [
    /ProgramAccountNotFound|InvalidProgramForExecution|UnsupportedProgramId|AccountNotExecutable/i,
    'program-missing',
  ],
  [
    /NotInitialized|Uninitialized|AccountNotFound|MissingAccount|NotEnoughAccountKeys|AccountNotEnoughKeys/i,
    'missing-account',
  ],
  [/Liquidity|InsufficientReserve|WithdrawalLimit|BorrowLimit/i, 'liquidity'],
  [/Insufficient(Funds|Balance|Tokens?|Amount)|NotEnough(Funds|Tokens?|Balance)/i, 'tokens'],
  [/Oracle|Stale|Price/i, 'price'],
  [/Paused|Disabled|Completed?$|Closed|NotActive|NotEnabled|Inactive|Restricted/i, 'closed'],
  [/Sign(er|ature)|Authority|Unauthori[sz]ed|Owner|Privilege|Permission|Readonly/i, 'authority'],
  [/Overflow|Underflow|Arithmetic|Calculation|MathError/i, 'range'],
  [
    /InstructionData|InvalidInstruction|InvalidArgument|Borsh|DidNotDeserialize|InstructionFallback/i,
    'input',
  ],
  [/Mint|Account|Address|Seeds|Constraint|ProgramI[dD]/i, 'wrong-account'],
];

/** An outside RPC may name an error by a text of any length, and the search takes time that grows with its square. */
const MAX_NAME = 200;

/** Finds what the name of an error means; `other` if nothing is known about it. */
export function findFailureKind(name: string): FailureKind {
  const searched = name.slice(0, MAX_NAME);
  return BY_NAME.find(([names]) => names.test(searched))?.[1] ?? 'other';
}

/** What errors of the runtime, of the System program and of the token programs mean. Programs say more in their logs. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['AccountNotFound', 'the fee payer has no account: it never received SOL'],
  ['InsufficientFundsForFee', 'the fee payer has too little SOL for the fee'],
  ['InsufficientFundsForRent', 'an account would be left with less SOL than the rent for its size'],
  ['InvalidAccountForFee', 'the fee payer cannot pay: its account belongs to a program'],
  ['BlockhashNotFound', 'the blockhash is not known, or has expired'],
  ['AlreadyProcessed', 'the same transaction has landed before'],
  ['SignatureFailure', 'a signature does not verify'],
  ['ProgramAccountNotFound', 'a program that it calls does not exist on this network'],
  ['InvalidProgramForExecution', 'a program that it calls is not executable'],
  ['AccountInUse', 'an account was in use by another transaction'],
  ['MaxLoadedAccountsDataSizeExceeded', 'its accounts are larger than it asked for'],
  ['InvalidAddressLookupTableIndex', 'it names an entry that a lookup table does not have'],
  ['AddressLookupTableNotFound', 'a lookup table that it names does not exist'],
  ['ComputationalBudgetExceeded', 'it used all of its compute units'],
  ['ProgramFailedToComplete', 'the program broke off'],
  ['ProgramEnvironmentSetupFailure', 'the program could not be started'],
  ['MissingRequiredSignature', 'an account that has to sign did not'],
  ['InsufficientFunds', 'an account holds less than the instruction moves'],
  ['UninitializedAccount', 'an account is not initialized'],
  ['AccountAlreadyInitialized', 'an account is initialized already'],
  ['InvalidAccountData', 'an account has not the data that the program expects'],
  ['InvalidAccountOwner', 'an account belongs to another program than expected'],
  ['IllegalOwner', 'an account belongs to another owner than expected'],
  ['InvalidInstructionData', 'the program does not know this instruction, or its data is malformed'],
  ['InvalidArgument', 'an argument of the instruction is not allowed'],
  ['IncorrectProgramId', 'an account belongs to another program than expected'],
  ['UnsupportedProgramId', 'the program does not exist on this network, or is not executable'],
  ['MissingAccount', 'the instruction lists fewer accounts than it needs'],
  ['NotEnoughAccountKeys', 'the instruction lists fewer accounts than it needs'],
  ['InvalidSeeds', 'the address of an account does not derive from the seeds that the program expects'],
  ['PrivilegeEscalation', 'a call asked for a signer or a writable account that its caller does not have'],
  ['CallDepth', 'calls were nested too deeply'],
  ['ReentrancyNotAllowed', 'a program called itself through another one'],
  ['ReadonlyDataModified', 'the program wrote to an account that was given as readonly'],
  ['ReadonlyLamportChange', 'the program changed the SOL of an account that was given as readonly'],
  ['ExternalAccountLamportSpend', 'the program spent SOL of an account that belongs to another program'],
  ['ExternalAccountDataModified', 'the program wrote to an account that belongs to another program'],
  ['UnbalancedInstruction', 'the SOL of the accounts after the instruction is not what it was before'],
  ['AccountDataTooSmall', 'an account is too small for its data'],
  ['ArithmeticOverflow', 'an amount left its range'],
  ['AccountNotRentExempt', 'an account would hold less SOL than the rent for its size'],
  ['ResultWithNegativeLamports', 'the account that pays has too little SOL'],
  ['AccountAlreadyInUse', 'an account with this address exists already'],
  ['NotRentExempt', 'an account would hold less SOL than the rent for its size'],
  ['InvalidMint', 'the account is no mint'],
  ['MintMismatch', 'the token account is of another mint'],
  ['OwnerMismatch', 'the signer is not the owner of the token account'],
  ['FixedSupply', 'the mint has no authority, so no more can be minted'],
  ['AlreadyInUse', 'the account is in use already'],
  ['UninitializedState', 'the token account is not initialized'],
  ['NonNativeHasBalance', 'the token account still holds tokens, so it cannot be closed'],
  ['AccountFrozen', 'the token account is frozen'],
  ['MintDecimalsMismatch', 'the decimals of the instruction are not those of the mint'],
]);

/** Finds what an error means that many programs share; null if it is not known. */
export function findErrorMeaning(name: string): string | null {
  return MEANINGS.get(name) ?? null;
}
