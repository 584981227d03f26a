import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import { AggregatorSide } from '../../../src/protocol/venue/aggregator-step.ts';
import type { FillParams, FillLevel } from '../../../src/protocols/rfq-fill/fill-program.ts';
import { encodeFillParams } from '../../../src/protocols/rfq-fill/fill-program.ts';
import {
  type FillPair,
  type FillParties,
  createFillStep,
  RFQ_FILL_PROGRAM,
} from '../../../src/protocols/rfq-fill/fill-step.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import type { AccountMeta, Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';

/** Unix seconds that the clock of every market shows. */
export const NOW = 1_771_335_000n;
export const BASE_DECIMALS = 9;
export const QUOTE_DECIMALS = 6;
/** The initial balance of every token account. */
const HOLDING = 1n << 60n;

const FILL_EXACT_IN = Uint8Array.of(222, 208, 6, 209, 154, 163, 54, 94);

export interface Order {
  readonly side: AggregatorSide;
  readonly amount: bigint;
  readonly params: FillParams;
}

export function order(
  side: AggregatorSide,
  amount: bigint,
  params: Partial<FillParams> & { levels: FillLevel[] },
): Order {
  return {
    side,
    amount,
    params: { expireAt: NOW + 30n, tickSizeQpb: 1n, lotSizeBase: 1_000n, ...params },
  };
}

/** Returns levels from pairs of a price in ticks and a quantity in lots. */
export function levels(...pairs: readonly (readonly [bigint, bigint])[]): FillLevel[] {
  return pairs.map(([pxTicks, qtyLots]) => ({ pxTicks, qtyLots }));
}

/** A taker and a maker with large balances of two tokens, on a network with the aggregator. */
export class FillMarket {
  readonly network = new TestNetwork(['aggregator', 'rfq-fill']);
  readonly parties: FillParties;
  readonly pair: FillPair;

  constructor(programs: { readonly base?: Address; readonly quote?: Address } = {}) {
    const { network } = this;
    network.setUnixTime(NOW);
    this.pair = {
      baseMint: network.newAddress(),
      quoteMint: network.newAddress(),
      baseTokenProgram: programs.base ?? TOKEN_PROGRAM,
      quoteTokenProgram: programs.quote ?? TOKEN_PROGRAM,
    };
    const { baseMint, quoteMint, baseTokenProgram, quoteTokenProgram } = this.pair;
    this.#setMint(baseMint, baseTokenProgram, BASE_DECIMALS);
    this.#setMint(quoteMint, quoteTokenProgram, QUOTE_DECIMALS);
    const taker = network.newWallet();
    const maker = network.newWallet();
    this.parties = {
      taker,
      maker,
      takerBase: this.newTokenAccount(baseMint, taker, baseTokenProgram),
      takerQuote: this.newTokenAccount(quoteMint, taker, quoteTokenProgram),
      makerBase: this.newTokenAccount(baseMint, maker, baseTokenProgram),
      makerQuote: this.newTokenAccount(quoteMint, maker, quoteTokenProgram),
    };
  }

  newTokenAccount(mint: Address, owner: Address, program: Address): Address {
    const address = this.network.newAddress();
    this.network.setData(address, program, tokenAccount(mint, owner, HOLDING));
    return address;
  }

  /** Overwrites an account of the token program. */
  setTokenAccount(address: Address, mint: Address, owner: Address, amount: bigint): void {
    this.network.setData(address, TOKEN_PROGRAM, tokenAccount(mint, owner, amount));
  }

  /** Adds another maker with accounts of its own. The taker is the same. */
  withAnotherMaker(): FillParties {
    const { baseMint, quoteMint, baseTokenProgram, quoteTokenProgram } = this.pair;
    const maker = this.network.newWallet();
    return {
      ...this.parties,
      maker,
      makerBase: this.newTokenAccount(baseMint, maker, baseTokenProgram),
      makerQuote: this.newTokenAccount(quoteMint, maker, quoteTokenProgram),
    };
  }

  /** Returns a route with the order as its only step, or with equal shares of several makers. */
  route({ side, amount, params }: Order, ...makers: readonly FillParties[]): Instruction {
    const { pair } = this;
    const { taker, takerBase, takerQuote } = this.parties;
    const fills = makers.length > 0 ? makers : [this.parties];
    const bid = side === AggregatorSide.BID;
    return routeV2(
      {
        inAmount: amount,
        quotedOutAmount: 1n,
        slippageBps: 0,
        steps: fills.map((parties) => ({
          step: createFillStep(side, params, parties, pair),
          bps: 10_000 / fills.length,
          inputIndex: 0,
          outputIndex: 1,
        })),
      },
      {
        userTransferAuthority: taker,
        userSourceTokenAccount: bid ? takerQuote : takerBase,
        userDestinationTokenAccount: bid ? takerBase : takerQuote,
        sourceMint: bid ? pair.quoteMint : pair.baseMint,
        destinationMint: bid ? pair.baseMint : pair.quoteMint,
        sourceTokenProgram: bid ? pair.quoteTokenProgram : pair.baseTokenProgram,
        destinationTokenProgram: bid ? pair.baseTokenProgram : pair.quoteTokenProgram,
      },
    );
  }

  /**
   * Returns a direct call of the program. It is refused after the accounts are checked, because it is not within a
   * route.
   */
  direct(sold: Order, replace: Readonly<Record<number, AccountMeta>> = {}): Instruction {
    const [, ...accounts] = createFillStep(sold.side, sold.params, this.parties, this.pair).accounts;
    return {
      programAddress: RFQ_FILL_PROGRAM,
      accounts: accounts.map((account, index) => replace[index] ?? account),
      data: fillData(sold),
    };
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions, { feePayer: this.parties.taker });
  }

  /** Returns the changes of the four balances since the start: the gains of taker and maker in each token. */
  gains(): Record<'takerBase' | 'takerQuote' | 'makerBase' | 'makerQuote', bigint> {
    const gain = (account: Address) => this.network.tokenBalance(account) - HOLDING;
    const { takerBase, takerQuote, makerBase, makerQuote } = this.parties;
    return {
      takerBase: gain(takerBase),
      takerQuote: gain(takerQuote),
      makerBase: gain(makerBase),
      makerQuote: gain(makerQuote),
    };
  }

  #setMint(address: Address, program: Address, decimals: number): void {
    const mint = { mintAuthority: null, supply: 1n << 62n, decimals, freezeAuthority: null, extensions: [] };
    this.network.setData(address, program, encodeMint(mint));
  }
}

function tokenAccount(mint: Address, owner: Address, amount: bigint): Uint8Array {
  return ordinaryTokenAccount({ mint, owner, amount });
}

/** Data of `fill_exact_in`. */
export function fillData({ side, amount, params }: Order): Uint8Array {
  return new ByteWriter().bytes(FILL_EXACT_IN).u8(side).u64(amount).bytes(encodeFillParams(params)).finish();
}
