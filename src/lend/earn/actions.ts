import { type Chain, requireAvailable } from '../../chain/chain.ts';
import { getFinalizedBlockhash } from '../../chain/recent-blockhashes.ts';
import { type EarnAction, createEarnInstruction } from '../../protocols/jupiter-lend/lending/instructions.ts';
import {
  depositAssets,
  type EarnRefusal,
  type EarnResult,
  type EarnState,
  mintShares,
  redeemShares,
  withdrawAssets,
} from '../../protocols/jupiter-lend/lending/shares.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { U64_MAX } from '../../solana/units.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import type { EarnMarket } from './markets/earn-markets.ts';
import { computeEarnToken } from './markets/earn-token.ts';
import { decodeBalance } from './positions.ts';

/** An action of a wallet with an earn token. */
export interface EarnRequest {
  readonly action: EarnAction;
  readonly market: EarnMarket;
  readonly signer: Address;
  /** Atoms of the token for `deposit` and `withdraw`, of the receipt token for `mint` and `redeem`. */
  readonly amount: bigint;
}

/** The instructions for a request. */
export interface EarnInstructions {
  /** Creates the receiving account if it does not exist. */
  readonly setup: readonly Instruction[];
  /** The instruction of the lending program. */
  readonly main: Instruction;
}

/** The amount that means the whole balance. */
const ALL = U64_MAX;

const PREDICT: Readonly<Record<EarnAction, (state: EarnState, amount: bigint, now: bigint) => EarnResult>> = {
  deposit: depositAssets,
  mint: mintShares,
  withdraw: withdrawAssets,
  redeem: redeemShares,
};

/**
 * Creates the instructions for a request. It predicts what the program would do now, and refuses requests that would
 * fail whatever the signer holds.
 *
 * @throws RequestRefused with the reason and the numbers
 * @throws ChainUnavailable when the network does not answer
 *
 * @example
 * ```ts
 * import type { Address } from '../../solana/address.ts';
 * import { planEarnInstructions } from './actions.ts';
 * import type { EarnSources } from './earn-sources.ts';
 *
 * // The number of instructions that deposit one USDC.
 * async function countInstructions({ chain, markets }: EarnSources, signer: Address): Promise<number> {
 *   const market = markets.of('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address);
 *   if (market === null) return 0;
 *   const { setup } = await planEarnInstructions(chain, { action: 'deposit', market, signer, amount: 1_000_000n });
 *   return setup.length + 1;
 * }
 * ```
 */
export async function planEarnInstructions(chain: Chain, request: EarnRequest): Promise<EarnInstructions> {
  if (request.amount !== ALL) requirePrediction(chain, request, request.amount);
  return createEarnInstructions(request, await readWallet(chain, request));
}

/**
 * Compiles the unsigned message for a request. In addition to the checks of `planEarnInstructions`, the signer must
 * hold what the request takes.
 *
 * Returns the message to sign, in version 0, with the newest finalized blockhash.
 * @throws RequestRefused with the reason and the numbers
 * @throws ChainUnavailable when the network does not answer
 */
export async function buildEarnTransaction(chain: Chain, request: EarnRequest): Promise<Uint8Array> {
  requireAvailable(chain);
  const wallet = await readWallet(chain, request);
  requireFunds(chain, request, wallet);
  const { setup, main } = createEarnInstructions(request, wallet);
  const contents = { feePayer: request.signer, instructions: [...setup, main], lookupTables: null };
  return compileMessage({ ...contents, blockhash: getFinalizedBlockhash(chain).bytes });
}

/** The balances of the signer. */
interface Wallet {
  /** The balance of the token that the request takes: the token itself or its receipt token. */
  readonly balance: bigint;
  readonly hasSource: boolean;
  readonly hasDestination: boolean;
}

async function readWallet(chain: Chain, { action, market, signer }: EarnRequest): Promise<Wallet> {
  const { source, destination } = getActionMints(market, action);
  const accounts = [source, destination].map((mint) =>
    deriveAssociatedTokenAddress(signer, mint, market.tokenProgram),
  );
  const [from, to] = await chain.getAccounts(accounts);
  return {
    balance: decodeBalance(from),
    hasSource: from?.account != null,
    hasDestination: to?.account != null,
  };
}

function requireFunds(chain: Chain, request: EarnRequest, { balance, hasSource }: Wallet): void {
  const { action, market, signer, amount } = request;
  const { source } = getActionMints(market, action);
  if (!hasSource) throw new RequestRefused(`signer ${signer} has no associated token account of ${source}`);
  // With this amount, `mint` deposits the whole balance, and `withdraw` takes what all shares are worth.
  const isAll = amount === ALL;
  const counted = isAll && action === 'mint' ? 'deposit' : isAll && action === 'withdraw' ? 'redeem' : action;
  const predicted = requirePrediction(chain, { action: counted, market }, isAll ? balance : amount);
  const taken = isDeposit(action) ? predicted.assets : predicted.shares;
  if (taken > balance) {
    throw new RequestRefused(`signer ${signer} holds ${balance} of ${source}, but ${action} takes ${taken}`);
  }
}

function requirePrediction(
  chain: Chain,
  { action, market }: Pick<EarnRequest, 'action' | 'market'>,
  amount: bigint,
): EarnResult & { readonly ok: true } {
  const now = chain.clock().unixTimestamp;
  const { lending, rewards, shares, reserve, rateModel, supply, held } = market;
  const state = { lending, rewards, shares, liquidity: { reserve, rateModel, supply, borrow: null, held } };
  const predicted = PREDICT[action](state, amount, now);
  if (predicted.ok) return predicted;
  throw createEarnRefusal(predicted.error, market, action, amount, now);
}

function createEarnRefusal(
  error: EarnRefusal,
  market: EarnMarket,
  action: EarnAction,
  amount: bigint,
  now: bigint,
): RequestRefused {
  const what = `${error}: ${action} of ${amount}`;
  switch (error) {
    case 'WithdrawalLimitReached': {
      const { withdrawableUntilLimit } = computeEarnToken(market, now).supplied;
      return new RequestRefused(
        `${what} exceeds the ${withdrawableUntilLimit} that all depositors together can withdraw now; the limit expands over ${market.supply.expandDuration} s`,
      );
    }
    case 'InsufficientBalance':
      return new RequestRefused(`${what} exceeds the ${market.held} in the reserve; the rest is lent out`);
    case 'OperateAmountsNearlyZero':
      return new RequestRefused(`${what} is too little: the liquidity program moves at least 10 base units`);
    case 'OperateAmountsInsufficient':
    case 'FTokenDepositInsignificant':
      return new RequestRefused(`${what} is worth less than one base unit`);
    case 'UserPaused':
      return new RequestRefused(`${what} is not possible, because the earn token is paused`);
    default:
      return new RequestRefused(`${what} would fail in the lending program`);
  }
}

function createEarnInstructions(
  { action, market, signer, amount }: EarnRequest,
  { hasDestination }: Wallet,
): EarnInstructions {
  const { tokenProgram } = market;
  const { destination } = getActionMints(market, action);
  const creation = { payer: signer, owner: signer, mint: destination, tokenProgram };
  const parties = { signer, mint: market.lending.mint, tokenProgram };
  return {
    // The program refuses an account that does not exist.
    setup: hasDestination ? [] : [createAssociatedTokenIdempotent(creation)],
    main: createEarnInstruction(action, parties, amount),
  };
}

/** The mints of the tokens that the signer pays and receives. */
function getActionMints({ lending }: EarnMarket, action: EarnAction) {
  const { mint, fTokenMint } = lending;
  return isDeposit(action)
    ? { source: mint, destination: fTokenMint }
    : { source: fTokenMint, destination: mint };
}

function isDeposit(action: EarnAction): boolean {
  return action === 'deposit' || action === 'mint';
}
