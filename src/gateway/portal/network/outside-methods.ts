/** What a page may call of an outside RPC: what reads a single thing, or little. Each call is one that RPCs answer cheaply. */
const METHODS: ReadonlySet<string> = new Set([
  ...['getAccountInfo', 'getMultipleAccounts', 'getBalance', 'getTokenAccountBalance', 'getTokenSupply'],
  ...['getTokenAccountsByOwner', 'getMinimumBalanceForRentExemption'],
  ...['getBlock', 'getBlockHeight', 'getBlockTime', 'getEpochInfo', 'getSlot', 'getTransactionCount'],
  ...['getGenesisHash', 'getHealth', 'getVersion', 'getLatestBlockhash', 'isBlockhashValid'],
  ...['getFeeForMessage', 'getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'],
  'simulateTransaction',
]);

/** Why others are refused that somebody may miss. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['getProgramAccounts', 'it reads all accounts of a program, which RPCs refuse or charge for'],
  ['sendTransaction', 'transactions are sent through the API, which checks them and lands them'],
  ['getTokenLargestAccounts', 'it searches all accounts of a token, which RPCs refuse or charge for'],
  ['getLargestAccounts', 'it searches all accounts'],
  ['getSupply', 'it counts all accounts'],
  ['requestAirdrop', 'there is no faucet'],
]);

const MAX_PARAMS = 3;
const MAX_ACCOUNTS = 100;
const MAX_SIGNATURES = 50;
const BLOCK_DETAILS: ReadonlySet<unknown> = new Set(['none', 'signatures']);

/** Finds why pages may not make a call of an outside RPC. Returns the end of a sentence; null if they may. */
export function findOutsideRefusal(method: string, params: unknown): string | null {
  if (!METHODS.has(method)) return REASONS.get(method) ?? 'they read single things only';
  if (!Array.isArray(params) || params.length > MAX_PARAMS)
    return `params must be a list of at most ${MAX_PARAMS} values`;
  const [first, options] = params as readonly unknown[];
  switch (method) {
    case 'getMultipleAccounts':
    case 'getSignatureStatuses':
      return isShortList(first) ? null : `they ask for at most ${MAX_ACCOUNTS} at once`;
    case 'getSignaturesForAddress': {
      const limit = readOption(options, 'limit');
      return typeof limit === 'number' && limit <= MAX_SIGNATURES
        ? null
        : `they ask for at most ${MAX_SIGNATURES}, in the option limit`;
    }
    case 'getBlock':
      return BLOCK_DETAILS.has(readOption(options, 'transactionDetails')) &&
        readOption(options, 'rewards') === false
        ? null
        : 'a whole block has several megabytes, so they ask for transactionDetails "none" or "signatures" and no rewards';
    default:
      return null;
  }
}

function isShortList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_ACCOUNTS;
}

function readOption(options: unknown, name: string): unknown {
  if (typeof options !== 'object' || options === null || !Object.hasOwn(options, name)) return undefined;
  return (options as Record<string, unknown>)[name];
}
