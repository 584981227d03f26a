import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { LENDING, type Lending } from '../../../src/protocols/jupiter-lend/lending/layouts.ts';
import { REWARDS } from '../../../src/protocols/jupiter-lend/lending-reward-rate-model/layouts.ts';
import type { EarnState } from '../../../src/protocols/jupiter-lend/lending/shares.ts';
import { PRICE_ONE } from '../../../src/protocols/jupiter-lend/lending-base/amounts.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeMint, encodeMint } from '../../../src/solana/programs/token/mint.ts';
import {
  initRewardsAdmin,
  initRewardsRateModel,
  rewardsAddress,
} from '../../lending-reward-rate-model/tests/instructions.ts';
import { reserveAddress, supplyPositionAddress } from '../../liquidity/tests/addresses.ts';
import { LiquidityWorld } from '../../liquidity/tests/world.ts';
import { type Token, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import {
  LENDING_ADMIN,
  deriveLendingAddress,
  deriveReceiptMintAddress,
} from '../../../src/protocols/jupiter-lend/lending/addresses.ts';
import { LENDING_PROGRAM } from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import { initLendingAdmin, type Parties, setRewardsRateModel } from './instructions.ts';

/**
 * An earn token over the liquidity program, and one user. `init_lending` is left out, because it calls the metadata
 * program.
 */
export class LendingWorld {
  readonly liquidity = new LiquidityWorld();
  readonly network = this.liquidity.network;
  readonly user = this.network.newWallet();
  readonly token = this.liquidity.token;
  readonly receipt = { ...this.token, mint: deriveReceiptMintAddress(this.token.mint) };
  readonly lending = deriveLendingAddress(this.token.mint).address;

  constructor() {
    const [{ admin }, { mint }] = [this.liquidity, this.token];
    this.network.loadShipped('lending');
    this.network.loadShipped('lending-reward-rate-model');
    this.network.setComputeUnits(1_000_000n);
    this.liquidity.must(initRewardsAdmin(admin, admin));
    this.liquidity.must(initRewardsRateModel(admin, mint));
    this.liquidity.must(initLendingAdmin(admin, admin, admin));
    this.#writeLending();
    this.liquidity.must(setRewardsRateModel(admin, mint));
    this.liquidity.admit(this.lending, 1);
    this.#write(this.token, 1_000_000_000_000n);
    this.#write(this.receipt, 0n);
  }

  parties(): Parties {
    return { signer: this.user, recipient: this.user };
  }

  balance(of: Token): bigint {
    return this.network.tokenBalance(deriveAssociatedTokenAddress(this.user, of.mint, of.tokenProgram));
  }

  /** Assets per share, in 10^12ths. */
  price(): bigint {
    return this.state().lending.tokenExchangePrice;
  }

  /** Returns the state from which the model of `src/protocols/jupiter-lend` predicts. */
  state(): EarnState {
    const data = (address: Address) => this.network.account(address)?.data ?? new Uint8Array(0);
    return {
      lending: LENDING.decode(data(this.lending)),
      rewards: REWARDS.decode(data(rewardsAddress(this.token.mint))),
      shares: decodeMint(data(this.receipt.mint)).supply,
      liquidity: { ...this.liquidity.state(this.lending), borrow: null },
    };
  }

  #write(token: Token, amount: bigint): void {
    const address = deriveAssociatedTokenAddress(this.user, token.mint, token.tokenProgram);
    writeTokenAccount(this.network, address, this.user, token, amount);
  }

  #writeLending(): void {
    const { mint, tokenProgram } = this.token;
    const receipt = { mintAuthority: LENDING_ADMIN.address, supply: 0n, decimals: 6, freezeAuthority: null };
    this.network.setData(this.receipt.mint, tokenProgram, encodeMint({ ...receipt, extensions: [] }));
    const seeds = [Buffer.from('lending'), toAddressBytes(mint), toAddressBytes(this.receipt.mint)];
    const { bump } = findProgramAddress(LENDING_PROGRAM, seeds);
    const lending: Lending = {
      mint,
      fTokenMint: this.receipt.mint,
      lendingId: 1,
      decimals: 6,
      rewardsRateModel: SYSTEM_PROGRAM,
      liquidityExchangePrice: PRICE_ONE,
      tokenExchangePrice: PRICE_ONE,
      lastUpdateTimestamp: 1_700_000_000n,
      tokenReservesLiquidity: reserveAddress(mint),
      supplyPositionOnLiquidity: supplyPositionAddress(mint, this.lending),
      bump,
    };
    this.network.setData(this.lending, LENDING_PROGRAM, LENDING.encode(lending));
  }
}
