import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { token, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import {
  BORROW_POSITION,
  RATE_MODEL,
  RESERVE,
  SUPPLY_POSITION,
} from '../../../src/protocols/jupiter-lend/liquidity/layouts.ts';
import type { LiquidityState } from '../../../src/protocols/jupiter-lend/liquidity/operate-liquidity.ts';
import {
  borrowPositionAddress,
  rateModelAddress,
  reserveAddress,
  supplyPositionAddress,
} from './addresses.ts';
import {
  initLiquidity,
  initNewProtocol,
  initTokenReserve,
  operate,
  preOperate,
  reserveVault,
  updateRateDataV1,
  updateTokenConfig,
  updateUserBorrowConfig,
  updateUserSupplyConfig,
} from './instructions.ts';
import { decodePosition, decodeReserve, type Position, type Reserve } from './layout.ts';

const NOW = 1_700_000_000n;

/** The liquidity program with a reserve of one token, and protocols that may use it. */
export class LiquidityWorld {
  readonly network = new TestNetwork(['liquidity']);
  readonly admin = this.network.newWallet();
  readonly token = token('kept');
  readonly payee: Address;
  #now = NOW;

  constructor() {
    this.payee = deriveAssociatedTokenAddress(this.admin, this.token.mint, this.token.tokenProgram);
    const mint = {
      mintAuthority: null,
      supply: 1n << 58n,
      decimals: 6,
      freezeAuthority: null,
      extensions: [],
    };
    this.network.setData(this.token.mint, this.token.tokenProgram, encodeMint(mint));
    writeTokenAccount(this.network, this.payee, this.admin, this.token, 0n);
    this.network.setUnixTime(this.#now);
    this.must(initLiquidity(this.admin, this.admin, this.admin));
    this.must(initTokenReserve(this.admin, this.token));
    this.must(
      updateRateDataV1(this.admin, this.token.mint, {
        kink: 8000n,
        atZero: 100n,
        atKink: 500n,
        atMax: 10_000n,
      }),
    );
    this.must(updateTokenConfig(this.admin, this.token.mint, 1000n, 9500n));
  }

  /** Returns a protocol that may use the reserve. In mode 1 it earns and pays interest. */
  protocol(mode = 1): Address {
    const protocol = this.network.newWallet();
    this.admit(protocol, mode);
    return protocol;
  }

  /** Permits a protocol to use the reserve. */
  admit(protocol: Address, mode: number): void {
    const { mint } = this.token;
    this.must(initNewProtocol(this.admin, mint, mint, protocol));
    const limits = { mode, expandPercent: 2000n, expandDuration: 3600n };
    this.must(
      updateUserSupplyConfig(this.admin, protocol, mint, { ...limits, baseWithdrawalLimit: 1_000_000n }),
    );
    this.must(
      updateUserBorrowConfig(this.admin, protocol, mint, {
        ...limits,
        baseDebtCeiling: 10_000_000n,
        maxDebtCeiling: 1_000_000_000n,
      }),
    );
  }

  must(...instructions: Instruction[]): TestOutcome {
    const outcome = this.network.send(instructions);
    if (outcome.error !== null) throw new Error(outcome.logs.join('\n'));
    return outcome;
  }

  pass(seconds: bigint): void {
    this.#now += seconds;
    this.network.setUnixTime(this.#now);
  }

  /** Supplies and borrows. Tokens that are due arrive in the vault first. Negative amounts withdraw and repay. */
  operate(protocol: Address, supplyAmount: bigint, borrowAmount: bigint): TestOutcome {
    const arriving = (supplyAmount > 0n ? supplyAmount : 0n) - (borrowAmount < 0n ? borrowAmount : 0n);
    const positions = { supply: true, borrow: true };
    if (arriving > 0n) {
      this.must(preOperate(protocol, this.token, positions));
      this.bring(arriving);
    }
    const accounts = { withdrawTo: true, borrowTo: true, withdrawClaim: false, borrowClaim: false };
    const parties = { ...positions, withdrawTo: this.admin, borrowTo: this.admin, transferType: 1 };
    const operation = { ...parties, supplyAmount, borrowAmount, accounts };
    const outcome = this.network.send([operate(protocol, this.token, operation)]);
    if (outcome.error !== null && arriving > 0n) this.bring(-arriving);
    return outcome;
  }

  bring(amount: bigint): void {
    const vault = reserveVault(this.token);
    const account = this.network.account(vault);
    if (account === null) throw new Error('the reserve has a vault');
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(data.readBigUInt64LE(64) + amount, 64);
    this.network.setAccount(vault, { ...account, data: new Uint8Array(data) });
  }

  held(): bigint {
    return this.network.tokenBalance(reserveVault(this.token));
  }

  /** Unix seconds. */
  now(): bigint {
    return this.#now;
  }

  /** Returns the state from which the model of `src/protocols/jupiter-lend` predicts. */
  state(protocol: Address): LiquidityState {
    const { mint } = this.token;
    const data = (address: Address) => this.network.account(address)?.data ?? new Uint8Array(0);
    return {
      reserve: RESERVE.decode(data(reserveAddress(mint))),
      rateModel: RATE_MODEL.decode(data(rateModelAddress(mint))),
      supply: SUPPLY_POSITION.decode(data(supplyPositionAddress(mint, protocol))),
      borrow: BORROW_POSITION.decode(data(borrowPositionAddress(mint, protocol))),
      held: this.held(),
    };
  }

  reserve(): Reserve {
    return decodeReserve(this.network.account(reserveAddress(this.token.mint))?.data ?? new Uint8Array(0));
  }

  supplied(protocol: Address): Position {
    const address = supplyPositionAddress(this.token.mint, protocol);
    return decodePosition(this.network.account(address)?.data ?? new Uint8Array(0));
  }
}
