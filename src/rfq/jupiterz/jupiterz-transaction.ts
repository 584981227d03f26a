import type { Account } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { type FillAccounts, createFillInstruction } from '../../protocols/order-engine/fill-instruction.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { encodeUnsigned } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { isTokenProgram, TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import {
  LAMPORTS_PER_SIGNATURE,
  priorityFeeLamports,
  computeStatedPriorityFeeLamports,
} from '../../solana/programs/message-fee.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { transferChecked } from '../../solana/programs/token/instructions.ts';
import { decodeMint, type Mint } from '../../solana/programs/token/mint.ts';
import { getTransferFeeAt, findTransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { compileContents, computeUnitLimit } from '../../transactions/build/transaction-message.ts';
import type { BuiltOrder, EngineRefusal, Unbuildable } from '../../swaps/engines/engine.ts';
import type { JupiterzDependencies, MakerOffer, OfferToSettle } from './jupiterz.ts';
import { findTakerLack } from './jupiterz-funds.ts';
import type { OrderRequest } from '../../swaps/engines/order-request.ts';
import type { RefusalSentence } from '../../swaps/refusals.ts';

export type JupiterzChain = Pick<
  Chain,
  'clock' | 'getAccounts' | 'simulate' | 'recentBlockhash' | 'recentPriorityFees'
>;

/** More compute units than a fill uses that creates two accounts. */
const DRAFT_UNITS = 300_000;

/** The value of `errorCode` of the makers' router for a quote whose transaction would fail. */
export const NOT_A_TRANSACTION = 3;
const CANNOT_BE_BUILT = 'The quote cannot become a transaction';

/** The token programs of an order's mints. */
export interface MintPrograms {
  readonly input: Address;
  readonly output: Address;
  readonly outputMint: Mint;
  /** Returns the associated token account of a wallet for one of the mints. */
  readonly accountOf: (wallet: Address, side: 'input' | 'output') => Address;
}

/** Finds the mints of an order. The order engine refuses those that take a fee of each transfer. */
export async function findMintPrograms(
  chain: JupiterzChain,
  pools: Pools,
  { inputMint, outputMint }: OrderRequest,
): Promise<MintPrograms | EngineRefusal> {
  const known = [pools.account(inputMint), pools.account(outputMint)];
  const read = known.includes(null) ? await chain.getAccounts([inputMint, outputMint]) : [];
  const accounts = known.map((account, index) => account ?? read[index]?.account ?? null);
  const { epoch } = chain.clock();
  const [input, output] = accounts.map((account) => findTradableMint(account, epoch));
  if (input == null)
    return { refused: `makers do not trade the mint ${inputMint}: it is none, or takes a fee of transfers` };
  if (output == null)
    return { refused: `makers do not trade the mint ${outputMint}: it is none, or takes a fee of transfers` };
  return {
    input: input.program,
    output: output.program,
    outputMint: output.mint,
    accountOf: (wallet, side) =>
      side === 'input'
        ? deriveAssociatedTokenAddress(wallet, inputMint, input.program)
        : deriveAssociatedTokenAddress(wallet, outputMint, output.program),
  };
}

function findTradableMint(account: Account | null, epoch: bigint): { program: Address; mint: Mint } | null {
  if (account === null || !isTokenProgram(account.owner)) return null;
  try {
    const mint = decodeMint(account.data);
    const fee = account.owner === TOKEN_2022_PROGRAM ? findTransferFeeConfig(mint.extensions) : null;
    return fee !== null && getTransferFeeAt(fee, epoch).basisPoints > 0
      ? null
      : { program: account.owner, mint };
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/** The accounts that offers depend on, by address. */
export type FillAccountsRead = ReadonlyMap<Address, Account | null>;

/**
 * Reads, in one call, the makers' token accounts, those that the taker pays with and is paid into, and those of the receiver.
 */
export async function readFillAccounts(
  chain: JupiterzChain,
  { taker, receiver, inputMint, outputMint }: OrderRequest,
  programs: MintPrograms,
  makers: readonly Address[],
): Promise<FillAccountsRead> {
  const wanted = new Set<Address>();
  for (const maker of makers)
    wanted.add(programs.accountOf(maker, 'input')).add(programs.accountOf(maker, 'output'));
  if (taker !== null) {
    wanted.add(taker);
    if (inputMint !== WRAPPED_SOL_MINT) wanted.add(programs.accountOf(taker, 'input'));
    if (outputMint !== WRAPPED_SOL_MINT) wanted.add(programs.accountOf(taker, 'output'));
  }
  if (receiver !== null) {
    wanted.add(receiver);
    if (outputMint !== WRAPPED_SOL_MINT) wanted.add(programs.accountOf(receiver, 'output'));
  }
  const read = await chain.getAccounts([...wanted]);
  return new Map(read.map(({ address, account }) => [address, account]));
}

/** Returns the receiver's token account for the output; null without a receiver, or if it gets SOL itself. */
export function findReceivingAccount(
  { receiver, outputMint }: Pick<OrderRequest, 'receiver' | 'outputMint'>,
  programs: MintPrograms,
): Address | null {
  return receiver === null || outputMint === WRAPPED_SOL_MINT ? null : programs.accountOf(receiver, 'output');
}

/** Why an offer cannot be settled now: because of what its maker holds, or because of who takes part. */
type MakerObstacle =
  | { readonly lost: 'balance'; readonly refused: string }
  | { readonly lost: 'unusable'; readonly refused: RefusalSentence };

/** Returns why the maker cannot settle the offer now; null if its accounts suffice. */
export function findMakerObstacle(
  { taker, receiver }: OrderRequest,
  { maker, takerGets }: MakerOffer,
  programs: MintPrograms,
  accounts: FillAccountsRead,
): MakerObstacle | null {
  if (taker === maker) return { lost: 'unusable', refused: 'the maker is the taker' };
  if (receiver === maker) return { lost: 'unusable', refused: 'the maker is the receiver' };
  const receiving = receiver === null ? null : accounts.get(receiver);
  if (receiver !== null && receiving && isTokenProgram(receiving.owner)) {
    return { lost: 'unusable', refused: { kind: 'receiver-is-token-account', receiver } };
  }
  const [to, from] = [programs.accountOf(maker, 'input'), programs.accountOf(maker, 'output')];
  for (const account of [to, from]) {
    if (!isToken(accounts.get(account)))
      return { lost: 'balance', refused: `the maker has no token account ${account}` };
  }
  const holds = getTokenAtoms(accounts.get(from));
  if (holds >= takerGets) return null;
  return { lost: 'balance', refused: `the maker holds ${holds} of the ${takerGets} atoms in ${from}` };
}

function isToken(account: Account | null | undefined): account is Account {
  return account != null && isTokenProgram(account.owner) && isTokenAccount(account.data);
}

function getTokenAtoms(account: Account | null | undefined): bigint {
  return isToken(account) ? readTokenAccountAmount(account.data) : 0n;
}

interface FillToRun extends OfferToSettle {
  readonly expireAt: bigint;
  readonly serial: number;
}

/**
 * Builds the transaction of an offer and simulates it. Its fee payer is the maker, whose signature comes last. The
 * taker pays for the account that it is paid into, and for that of a receiver, to whom it hands on what it gets. By the
 * rules of the public toolkit, the transaction cannot close the taker's account again.
 * Returns the transaction, or what the taker lacks for it, or why it would fail.
 */
export async function buildCheckedFill(
  { chain, describeFailure }: Pick<JupiterzDependencies, 'chain' | 'describeFailure'>,
  order: OrderRequest & { readonly taker: Address | null },
  { offer, programs, accounts, suggested, expireAt, serial }: FillToRun,
): Promise<BuiltOrder | Unbuildable | EngineRefusal> {
  const { taker, inputMint, outputMint } = order;
  if (taker === null) return { refused: 'there is no taker' };
  const { maker } = offer;
  const paid = listPaidAccounts(order, taker, programs);
  const created = BigInt(paid.filter(({ account }) => accounts.get(account) == null).length);
  const costs = {
    payer: maker,
    signatureFee: LAMPORTS_PER_SIGNATURE * 2n,
    prioritizationFee: 0n,
    statedPrioritizationFee: 0n,
    rentFee:
      created * computeRentExemptMinimum(computeAssociatedAccountSize(programs.output, programs.outputMint)),
    rentPayer: taker,
  };
  const inputAccount = programs.accountOf(taker, 'input');
  const getsSol = outputMint === WRAPPED_SOL_MINT && order.receiver === null;
  const taken = { taker, inputMint, getsSol, inputAccount, amount: offer.takerPays, rent: costs.rentFee };
  const unbuildable = findTakerLack(taken, accounts);
  if (unbuildable !== null) return { unbuildable, costs };
  const fill = createFillInstruction(
    { inputAmount: offer.takerPays, outputAmount: offer.takerGets, expireAt },
    toFillAccounts(order, taker, maker, programs),
    { bps: offer.feeBps, quoteType: order.swapMode === 'ExactOut' ? 'exactOut' : 'exactIn' },
  );
  const create = { payer: taker, mint: outputMint, tokenProgram: programs.output };
  const contents = {
    feePayer: maker,
    instructions: [
      ...paid.map(({ owner }) => createAssociatedTokenIdempotent({ ...create, owner })),
      fill,
      ...createReceiverTransfer(order, taker, offer.takerGets, programs),
    ],
    lookupTables: null,
  };
  const blockhash = chain.recentBlockhash();
  const price = offer.computeUnitPrice ?? suggested;
  const draft = compileContents(contents, { limit: DRAFT_UNITS, price }, blockhash);
  const wire = encodeUnsigned(draft);
  const { error, logs, unitsConsumed } = await chain.simulate(wire, { verifySignatures: false });
  if (error !== null) {
    const details = `its transaction would fail: ${describeFailure(error, logs).message}`;
    return { unbuildable: { code: NOT_A_TRANSACTION, message: CANNOT_BE_BUILT, details }, costs };
  }
  const limit = computeUnitLimit(Number(unitsConsumed), serial);
  return {
    messageBytes: compileContents(contents, { limit, price }, blockhash),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    costs: {
      ...costs,
      prioritizationFee: priorityFeeLamports(price, BigInt(limit)),
      statedPrioritizationFee: computeStatedPriorityFeeLamports(price, BigInt(limit)),
    },
    coSigner: null,
  };
}

/** The token accounts that the transaction pays, in the order in which it does; none for SOL. */
function listPaidAccounts({ receiver, outputMint }: OrderRequest, taker: Address, programs: MintPrograms) {
  if (outputMint === WRAPPED_SOL_MINT) return [];
  const owners = receiver === null ? [taker] : [taker, receiver];
  return owners.map((owner) => ({ owner, account: programs.accountOf(owner, 'output') }));
}

/** The taker's transfer of all that the fill pays it to the receiver, in the form that the public toolkit accepts. */
function createReceiverTransfer(
  order: OrderRequest,
  taker: Address,
  amount: bigint,
  programs: MintPrograms,
): readonly Instruction[] {
  const { receiver, outputMint: mint } = order;
  if (receiver === null) return [];
  const destination = findReceivingAccount(order, programs);
  if (destination === null) return [transferLamports(taker, receiver, amount)];
  const { decimals } = programs.outputMint;
  const source = programs.accountOf(taker, 'output');
  return [
    transferChecked(programs.output, { source, mint, destination, authority: taker, amount, decimals }),
  ];
}

/** The taker pays and is paid in SOL itself; makers hold wrapped SOL. */
function toFillAccounts(
  { inputMint, outputMint }: OrderRequest,
  taker: Address,
  maker: Address,
  programs: MintPrograms,
): FillAccounts {
  return {
    taker,
    maker,
    input: {
      mint: inputMint,
      tokenProgram: programs.input,
      taker: inputMint === WRAPPED_SOL_MINT ? null : programs.accountOf(taker, 'input'),
      maker: programs.accountOf(maker, 'input'),
    },
    output: {
      mint: outputMint,
      tokenProgram: programs.output,
      taker: outputMint === WRAPPED_SOL_MINT ? null : programs.accountOf(taker, 'output'),
      maker: programs.accountOf(maker, 'output'),
    },
  };
}
