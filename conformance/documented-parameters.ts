/** The JSON schema of a query parameter, without its description. */
export type DocumentedSchema = Readonly<Record<string, unknown>>;

const TEXT: DocumentedSchema = { type: 'string' };
const LIST: DocumentedSchema = { type: 'array', items: TEXT };
const BPS: DocumentedSchema = { type: 'integer', minimum: 0, maximum: 10_000 };
const OFF: DocumentedSchema = { type: 'boolean', default: false };
const ON: DocumentedSchema = { type: 'boolean', default: true };
const words = (...choices: readonly string[]): DocumentedSchema => ({ type: 'string', enum: choices });

/** The query parameters of each endpoint by the contract: their types, bounds, defaults and words. */
export const CONTRACT_PARAMETERS: Readonly<Record<string, Readonly<Record<string, DocumentedSchema>>>> = {
  '/swap/v2/order': {
    inputMint: TEXT,
    outputMint: TEXT,
    amount: TEXT,
    taker: TEXT,
    receiver: TEXT,
    // The shapes name ExactIn alone; the suites for makers with a webhook ask for ExactOut, too.
    swapMode: words('ExactIn', 'ExactOut'),
    slippageBps: BPS,
    referralAccount: TEXT,
    referralFee: { type: 'integer', minimum: 50, maximum: 255 },
    payer: TEXT,
    priorityFeeLamports: { type: 'integer' },
    jitoTipLamports: { type: 'integer' },
    broadcastFeeType: words('maxCap', 'exactFee'),
    excludeRouters: TEXT,
    dexes: TEXT,
    excludeDexes: TEXT,
  },
  '/swap/v2/build': {
    inputMint: TEXT,
    outputMint: TEXT,
    amount: TEXT,
    taker: TEXT,
    slippageBps: { anyOf: [BPS, words('rtse')], default: 50 },
    mode: words('fast'),
    dexes: TEXT,
    excludeDexes: TEXT,
    platformFeeBps: BPS,
    feeAccount: TEXT,
    maxAccounts: { type: 'integer', minimum: 1, maximum: 64 },
    payer: TEXT,
    wrapAndUnwrapSol: ON,
    destinationTokenAccount: TEXT,
    nativeDestinationAccount: TEXT,
    blockhashSlotsToExpiry: { type: 'integer', minimum: 1, maximum: 300, default: 150 },
    tipAmount: TEXT,
    computeUnitPricePercentile: { anyOf: [BPS, words('medium', 'high', 'veryHigh')] },
    forJitoBundle: OFF,
  },
  '/swap/v1/quote': {
    inputMint: TEXT,
    outputMint: TEXT,
    amount: { type: 'integer', format: 'uint64' },
    slippageBps: { type: 'integer', minimum: 0, default: 50 },
    swapMode: { ...words('ExactIn', 'ExactOut'), default: 'ExactIn' },
    dexes: LIST,
    excludeDexes: LIST,
    restrictIntermediateTokens: ON,
    onlyDirectRoutes: OFF,
    asLegacyTransaction: OFF,
    platformFeeBps: { type: 'integer' },
    maxAccounts: { type: 'integer', default: 64 },
    instructionVersion: { ...words('V1', 'V2'), default: 'V1' },
    dynamicSlippage: OFF,
    forJitoBundle: OFF,
  },
};

/** Parameters without which the endpoint refuses a request; the contract has no others. */
export const REQUIRED_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/swap/v2/order': ['inputMint', 'outputMint', 'amount'],
  '/swap/v2/build': ['inputMint', 'outputMint', 'amount', 'taker'],
  '/swap/v1/quote': ['inputMint', 'outputMint', 'amount'],
};
