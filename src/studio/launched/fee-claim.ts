import type { Chain } from '../../chain/chain.ts';
import { type DbcPoolKeys, deriveDbcPoolKeys } from '../../protocols/meteora-dbc/program/addresses.ts';
import { claimDbcCreatorTradingFee } from '../../protocols/meteora-dbc/program/instructions-claim.ts';
import { DbcTokenType } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { encodeUnsigned } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { closeAccount } from '../../solana/programs/token/instructions.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { U64_MAX } from '../../solana/units.ts';
import {
  type BuildingDependencies,
  buildTransaction,
  readAccounts,
  type TransactionPlan,
} from '../../transactions/build/build-transaction.ts';
import { describeLackingFunds, type Rents } from '../../transactions/build/costs.ts';
import { type LaunchReading, type LaunchState, readLaunch } from './read-launch.ts';

export interface FeeClaimDependencies extends BuildingDependencies, LaunchReading {
  readonly chain: Pick<Chain, 'getAccounts'> & BuildingDependencies['chain'];
}

export interface FeeClaimRequest {
  /** The curve. */
  readonly pool: Address;
  /** The creator of the launch, who signs and pays. */
  readonly owner: Address;
  /** The most that is claimed, in base units of the quote token. Null claims everything. */
  readonly maxQuoteAmount: bigint | null;
}

export type FeeClaim =
  /** The unsigned transaction, which the owner signs and lands. */
  | { readonly kind: 'crafted'; readonly wire: Uint8Array }
  /** There is no curve at the address. */
  | { readonly kind: 'unknown-pool' }
  /** The launch has another creator. */
  | { readonly kind: 'other-creator' }
  /** The owner lacks the SOL for the costs, or a program refuses the transaction. */
  | { readonly kind: 'refused'; readonly reason: string };

/** A token of a launch, and the owner's account that its fees go to. */
interface FeeReceiver {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly account: Address;
}

/**
 * Makes the transaction that pays the creator of a launch the fees of its trades. It can be made before there are any: what is
 * claimed is what is there when it lands. Fees in the launched token, which only launches of others can have, are claimed whole.
 *
 * Fees in SOL arrive as SOL, unless the wallet has an account of wrapped SOL: then they arrive there.
 *
 * @throws ChainUnavailable when the network does not answer, or an account cannot be decoded.
 */
export async function craftFeeClaim(
  dependencies: FeeClaimDependencies,
  { pool, owner, maxQuoteAmount }: FeeClaimRequest,
): Promise<FeeClaim> {
  const launch = await readLaunch(dependencies, pool);
  if (launch === null) return { kind: 'unknown-pool' };
  if (launch.pool.creator !== owner) return { kind: 'other-creator' };
  const keys = listPoolKeys(launch);
  const base = createReceiver(owner, keys.baseMint, keys.tokenBaseProgram);
  const quote = createReceiver(owner, keys.quoteMint, keys.tokenQuoteProgram);
  const receivers = [base, quote];
  const parties = { claimer: owner, tokenBaseAccount: base.account, tokenQuoteAccount: quote.account };
  const limits = { maxBaseAmount: U64_MAX, maxQuoteAmount: maxQuoteAmount ?? U64_MAX };
  const mintsAndReceivers = receivers.flatMap(({ mint, account }) => [mint, account]);
  const states = await readAccounts(
    dependencies.chain,
    { feePayer: owner, spends: [], creations: [] },
    mintsAndReceivers,
  );
  const plan: TransactionPlan = {
    feePayer: owner,
    instructions: (rents) => [
      ...receivers.map(({ mint, tokenProgram, account }) =>
        createAssociatedTokenIdempotent({ payer: owner, owner, mint, tokenProgram }, account),
      ),
      claimDbcCreatorTradingFee(keys, parties, limits),
      ...unwrapSol(quote, owner, rents),
    ],
    lookupTables: null,
    creations: receivers.map(({ mint, tokenProgram, account }) => ({
      account,
      rent: () => {
        const { data = new Uint8Array() } = states.get(mint) ?? {};
        return computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, decodeMint(data)));
      },
      isReturned: mint === WRAPPED_SOL_MINT,
    })),
    spends: [],
    tip: 0n,
    priority: { asked: null, competesFor: [pool], isSponsored: false },
    // Claims that are alike and made at once may well be the same one.
    serial: 0,
  };
  const build = await buildTransaction(dependencies, plan, states);
  if (build.kind === 'lacking') return { kind: 'refused', reason: describeLackingFunds(build.lack) };
  if (build.kind === 'refused') return { kind: 'refused', reason: build.failure.message };
  return { kind: 'crafted', wire: encodeUnsigned(build.messageBytes) };
}

function listPoolKeys({ pool, config }: LaunchState): DbcPoolKeys {
  const programOf = (tokenType: number) =>
    tokenType === DbcTokenType.TOKEN_2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  return deriveDbcPoolKeys({
    config: pool.config,
    baseMint: pool.baseMint,
    quoteMint: config.quoteMint,
    tokenBaseProgram: programOf(config.tokenType),
    tokenQuoteProgram: programOf(config.quoteTokenFlag),
  });
}

function createReceiver(owner: Address, mint: Address, tokenProgram: Address): FeeReceiver {
  return { mint, tokenProgram, account: deriveAssociatedTokenAddress(owner, mint, tokenProgram) };
}

/** Closes an account of wrapped SOL that the transaction itself opens, which pays it out. */
function unwrapSol(
  { mint, tokenProgram, account }: FeeReceiver,
  owner: Address,
  { missing }: Rents,
): readonly Instruction[] {
  if (mint !== WRAPPED_SOL_MINT || !missing.has(account)) return [];
  return [closeAccount(tokenProgram, { account, destination: owner, authority: owner })];
}
