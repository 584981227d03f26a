import { VENUES } from '../../protocols/venues.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction, AccountRole } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { buildSwap } from '../../swaps/build/build.ts';
import { writeBuildJson } from '../../products/swap/endpoints/build-json.ts';
import { toRoutePlanJson } from '../../products/swap/endpoints/route-plan-json.ts';
import { parseBuildRequest, type BuildResponse } from '../../products/swap/endpoints/build.ts';
import type { Query } from '../../products/parameters/parameter.ts';
import type { InstructionJson } from '../../products/swap/endpoints/instruction-json.ts';
import type { TestOutcome } from '../svm/network.ts';
import type { GenesisTestMarket } from './open.ts';
import { throwPublicRefusal } from './public-refusal.ts';

const LABELS = VENUES.map(({ label }) => label);

/** What a client makes of an instruction in an answer. */
export function toInstruction({ programId, accounts, data }: InstructionJson): Instruction {
  return {
    programAddress: programId as Address,
    accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey as Address,
      role: (Number(isSigner) * 2 + Number(isWritable)) as AccountRole,
    })),
    data: Buffer.from(data, 'base64'),
  };
}

/** The instructions of an answer that has them all. */
type BuiltInstructions = Pick<
  BuildResponse,
  | 'computeBudgetInstructions'
  | 'setupInstructions'
  | 'swapInstruction'
  | 'cleanupInstruction'
  | 'otherInstructions'
  | 'tipInstruction'
  | 'addressesByLookupTableAddress'
>;

/** A client of `/build`, which is the market's wallet unless it says otherwise. */
export class BuildClient {
  readonly #market: GenesisTestMarket;

  constructor(market: GenesisTestMarket) {
    this.#market = market;
  }

  /** The answer as a client reads it. */
  async build(query: Query): Promise<BuildResponse> {
    const request = parseBuildRequest({ taker: this.#market.wallet, ...query }, LABELS);
    const built = await buildSwap(this.#market, request).catch(throwPublicRefusal);
    return JSON.parse(writeBuildJson(built, toRoutePlanJson(this.#market.prices, built.route)).toString());
  }

  /** Everything of the answer, in the order that the documentation gives, as one transaction. */
  execute(built: BuiltInstructions, feePayer: Address): TestOutcome {
    const { network, chain } = this.#market;
    const steps = [...built.computeBudgetInstructions, ...built.setupInstructions, built.swapInstruction];
    if (built.cleanupInstruction !== null) steps.push(built.cleanupInstruction);
    steps.push(...built.otherInstructions);
    if (built.tipInstruction !== null) steps.push(built.tipInstruction);
    const outcome = network.send(steps.map(toInstruction), {
      feePayer,
      lookupTables: (built.addressesByLookupTableAddress ?? {}) as Record<Address, Address[]>,
    });
    chain.publish(steps.flatMap(({ accounts }) => accounts.map(({ pubkey }) => pubkey as Address)));
    return outcome;
  }

  /** The associated token account. */
  ata(owner: Address, mint: Address): Address {
    const program = this.#market.network.account(mint)?.owner;
    if (program === undefined) throw new Error(`no mint ${mint}`);
    return deriveAssociatedTokenAddress(owner, mint, program);
  }

  /** Tokens, or lamports where SOL is wrapped and unwrapped on the way. */
  holding(owner: Address, mint: Address): bigint {
    const { network } = this.#market;
    const account = this.ata(owner, mint);
    const tokens = network.account(account) === null ? 0n : network.tokenBalance(account);
    if (mint !== WRAPPED_SOL_MINT) return tokens;
    return (network.account(owner)?.lamports ?? 0n) + (network.account(account)?.lamports ?? 0n);
  }
}
