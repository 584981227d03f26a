import {
  deriveOutcomeMint,
  deriveOutcomeTokens,
  type OutcomeSide,
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { createForecastSwap } from '../../protocols/bisonfi-forecast/instructions/forecast-token-instructions.ts';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { transferChecked } from '../../solana/programs/token/instructions.ts';
import type { ForecastTestWorld } from './forecast-world.ts';

const DECIMALS = 6;

/** A wallet whose trades land in the history of the chain. */
export class RecordedTrader {
  /** What each has in the beginning, in micro USD. */
  static readonly USDC = 1_000_000_000n;
  readonly #world: ForecastTestWorld;
  readonly #keypair: Keypair;

  constructor(world: ForecastTestWorld, seed: number) {
    this.#world = world;
    this.#keypair = createKeypairFromSeed(new Uint8Array(32).fill(seed));
    world.setLamports(this.address, 10_000_000_000n);
    world.give(this.address, RecordedTrader.USDC);
  }

  get address(): Address {
    return this.#keypair.address;
  }

  /** Buys tokens for micro USD. Returns the token account. */
  async buy(round: Address, side: OutcomeSide, amountIn: bigint): Promise<Address> {
    const { address: authority } = this;
    const terms = { isBuy: true, amountIn, minOut: 0n };
    await this.#land(
      this.#createTokens(this.address, round, side),
      createForecastSwap({ authority, round, side, feed: this.#world.feed }, terms),
    );
    return deriveOutcomeTokens(authority, deriveOutcomeMint(round, side).address);
  }

  async sell(round: Address, side: OutcomeSide, amountIn: bigint): Promise<void> {
    const { address: authority } = this;
    const terms = { isBuy: false, amountIn, minOut: 0n };
    await this.#land(createForecastSwap({ authority, round, side, feed: this.#world.feed }, terms));
  }

  /** Sends tokens to another wallet, without a trade. */
  async send(round: Address, side: OutcomeSide, to: RecordedTrader, amount: bigint): Promise<void> {
    const mint = deriveOutcomeMint(round, side).address;
    await this.#land(
      this.#createTokens(to.address, round, side),
      transferChecked(TOKEN_2022_PROGRAM, {
        source: deriveOutcomeTokens(this.address, mint),
        mint,
        destination: deriveOutcomeTokens(to.address, mint),
        authority: this.address,
        amount,
        decimals: DECIMALS,
      }),
    );
  }

  #createTokens(owner: Address, round: Address, side: OutcomeSide): Instruction {
    const mint = deriveOutcomeMint(round, side).address;
    return createAssociatedTokenIdempotent({
      payer: this.address,
      owner,
      mint,
      tokenProgram: TOKEN_2022_PROGRAM,
    });
  }

  async #land(...instructions: readonly Instruction[]): Promise<void> {
    const { chain, network } = this.#world;
    network.svm.expireBlockhash();
    const message = compileMessage({
      feePayer: this.address,
      instructions,
      blockhash: chain.recentBlockhash().bytes,
    });
    const signature = await chain.send(signTransaction(message, [this.#keypair]));
    const [status] = await chain.signatureStatuses([signature]);
    if (status?.error !== null) throw new Error(`the trade failed: ${JSON.stringify(status?.error)}`);
  }
}
