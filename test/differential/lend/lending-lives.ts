import fc from 'fast-check';
import {
  cancelQueuedRewards,
  initRewardsAdmin,
  initRewardsRateModel,
  queueNextRewards,
  REWARDS_ADMIN,
  startRewards,
  stopRewards,
  transitionToNextRewards,
  updateRewardsAuths,
} from '../../../programs/lending-reward-rate-model/tests/instructions.ts';
import {
  LENDING_ADMIN,
  deriveLendingAddress,
  deriveReceiptMintAddress,
} from '../../../src/protocols/jupiter-lend/lending/addresses.ts';
import {
  DEPOSITS,
  deposit,
  initLending,
  initLendingAdmin,
  setRewardsRateModel,
  updateLendingAuths,
  updateRate,
  updateRebalancer,
  WITHDRAWALS,
  withdraw,
} from '../../../programs/lending/tests/instructions.ts';
import { AUTH_LIST, LIQUIDITY } from '../../../programs/liquidity/tests/addresses.ts';
import {
  initLiquidity,
  initNewProtocol,
  initTokenReserve,
  operate,
  updateRateDataV1,
  updateTokenConfig,
  updateUserBorrowConfig,
  updateUserSupplyConfig,
} from '../../../programs/liquidity/tests/instructions.ts';
import {
  type Token as FixtureToken,
  token,
  writeTokenAccount,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { Comparison } from '../comparison.ts';
import { NO_ACCOUNT } from '../twin.ts';
import type { LendTwin } from './public-build.ts';

const KINDS = {
  deposit: 12,
  withdraw: 12,
  borrow: 6,
  'update rate': 3,
  start: 3,
  stop: 2,
  queue: 3,
  cancel: 1,
  transition: 2,
  members: 1,
} as const;

/** One instruction; what the numbers mean depends on the kind. */
export interface LendingStep {
  readonly kind: keyof typeof KINDS;
  /** Seconds that pass before it. */
  readonly seconds: bigint;
  readonly amount: bigint;
  readonly other: bigint;
  /** In millionths of what there is. */
  readonly share: bigint;
  readonly choice: number;
}

const kind = fc.oneof(
  ...Object.entries(KINDS).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name as keyof typeof KINDS),
  })),
);
/** Numbers of all magnitudes. */
const size = (bits: number): fc.Arbitrary<bigint> =>
  fc.integer({ min: 1, max: bits }).chain((some) => fc.bigInt(0n, (1n << BigInt(some)) - 1n));
const seconds = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0n) },
  { weight: 3, arbitrary: fc.bigInt(0n, 5000n) },
  { weight: 1, arbitrary: fc.bigInt(0n, 5_000_000n) },
);

export const lendingSteps: fc.Arbitrary<readonly LendingStep[]> = fc.array(
  fc.record({
    kind,
    seconds,
    amount: size(42),
    other: size(24),
    share: fc.oneof(fc.bigInt(0n, 1_050_000n), fc.constant(1_000_000n)),
    choice: fc.nat(255),
  }),
  { minLength: 40, maxLength: 40 },
);

const NOW = 1_700_000_000n;

/** A life of the lending program: one token, one user, and a borrower who pays interest. */
export class LendingLife {
  readonly #twin: LendTwin;
  readonly #comparison: Comparison;
  readonly #token: FixtureToken;
  readonly #receipt: FixtureToken;
  readonly #admin: Address;
  readonly #user: Address;
  readonly #borrower: Address;
  #now = NOW;

  constructor(twin: LendTwin, comparison: Comparison, token2022: boolean) {
    this.#twin = twin;
    this.#comparison = comparison;
    [this.#admin, this.#user, this.#borrower] = [this.#wallet(), this.#wallet(), this.#wallet()];
    this.#token = token(`of ${this.#admin}`, [], token2022);
    this.#receipt = { ...this.#token, mint: deriveReceiptMintAddress(this.#token.mint) };
    this.#prepare();
  }

  /** Whether both did the same; a life in which they differ goes no further. */
  run(step: LendingStep, tried: unknown): boolean {
    this.#pass(step.seconds);
    const different = this.#twin.difference(this.#instruction(step));
    this.#comparison.add(different, { tried, step });
    return different === null;
  }

  #wallet(): Address {
    const address = this.#twin.standIn.newWallet();
    if (this.#twin.publicBuild.newWallet() !== address)
      throw new Error('the networks make the same addresses');
    return address;
  }

  #pass(passed: bigint): void {
    this.#now += passed;
    this.#twin.both((network) => network.setUnixTime(this.#now));
  }

  #send(instruction: Instruction): void {
    this.#comparison.addPreparation(this.#twin.difference(instruction), 'preparation');
  }

  #prepare(): void {
    const [admin, { mint, tokenProgram }] = [this.#admin, this.#token];
    this.#pass(0n);
    for (const address of [LIQUIDITY, AUTH_LIST, LENDING_ADMIN.address, REWARDS_ADMIN]) {
      this.#twin.both((network) => network.setAccount(address, NO_ACCOUNT));
    }
    const supply = { mintAuthority: null, supply: 1n << 58n, decimals: 6, freezeAuthority: null };
    this.#twin.both((network) =>
      network.setData(mint, tokenProgram, encodeMint({ ...supply, extensions: [] })),
    );
    this.#send(initLiquidity(admin, admin, admin));
    this.#send(initTokenReserve(admin, this.#token));
    this.#send(updateRateDataV1(admin, mint, { kink: 8000n, atZero: 50n, atKink: 700n, atMax: 12_000n }));
    this.#send(updateTokenConfig(admin, mint, 1000n, 9500n));
    this.#send(initRewardsAdmin(admin, admin));
    this.#send(initLendingAdmin(admin, admin, admin));
    this.#send(initRewardsRateModel(admin, mint));
    this.#send(initLending(admin, this.#token, 'Tok'));
    this.#send(setRewardsRateModel(admin, mint));
    const limits = { mode: 1, expandPercent: 9000n, expandDuration: 7200n };
    for (const protocol of [deriveLendingAddress(mint).address, this.#borrower]) {
      this.#send(initNewProtocol(admin, mint, mint, protocol));
    }
    this.#send(
      updateUserSupplyConfig(admin, deriveLendingAddress(mint).address, mint, {
        ...limits,
        baseWithdrawalLimit: 1_000_000n,
      }),
    );
    this.#send(
      updateUserBorrowConfig(admin, this.#borrower, mint, {
        ...limits,
        baseDebtCeiling: 1n << 40n,
        maxDebtCeiling: 1n << 50n,
      }),
    );
    this.#twin.both((network) => {
      const write = (one: FixtureToken, owner: Address, amount: bigint): void =>
        writeTokenAccount(
          network,
          deriveAssociatedTokenAddress(owner, one.mint, tokenProgram),
          owner,
          one,
          amount,
        );
      write(this.#token, this.#user, 1n << 46n);
      write(this.#receipt, this.#user, 0n);
      write(this.#token, this.#admin, 0n);
      write(this.#receipt, this.#admin, 0n);
      write(this.#token, this.#borrower, 0n);
    });
  }

  #instruction(step: LendingStep): Instruction {
    const [admin, { mint }, { amount, other, choice }] = [this.#admin, this.#token, step];
    switch (step.kind) {
      case 'deposit': {
        const name = DEPOSITS[choice & 3] ?? 'deposit';
        const all = choice >> 2 === 0 ? U64_MAX : amount;
        const bound =
          name === 'deposit_with_min_amount_out' ? (amount * step.share) / 1_100_000n : amount + other;
        return deposit(name, this.#parties(step), this.#token, this.#numbers(name, all, bound));
      }
      case 'withdraw': {
        const name = WITHDRAWALS[choice & 3] ?? 'withdraw';
        const part = (this.#shares() * step.share) / 1_000_000n;
        const all = choice >> 2 < 3 ? U64_MAX : part;
        const bound = name === 'redeem_with_min_amount_out' ? part - (other % (part + 1n)) : part + other;
        return withdraw(name, this.#parties(step), this.#token, this.#numbers(name, all, bound));
      }
      case 'borrow':
        return operate(this.#borrower, this.#token, {
          supply: false,
          borrow: true,
          supplyAmount: 0n,
          borrowAmount: amount,
          withdrawTo: this.#borrower,
          borrowTo: this.#borrower,
          transferType: 1,
          accounts: { withdrawTo: false, borrowTo: true, withdrawClaim: false, borrowClaim: false },
        });
      case 'update rate':
        return updateRate(mint);
      case 'start':
        return startRewards(admin, mint, {
          amount,
          duration: other,
          startTvl: choice & 1 ? amount : 0n,
          startTime: choice & 2 ? 0n : this.#now + BigInt(choice) - 20n,
        });
      case 'stop':
        return stopRewards(admin, mint);
      case 'queue':
        return queueNextRewards(admin, mint, amount, other);
      case 'cancel':
        return cancelQueuedRewards(admin, mint);
      case 'transition':
        return transitionToNextRewards(mint);
      default:
        return this.#membership(choice);
    }
  }

  #membership(choice: number): Instruction {
    const [admin, user] = [this.#admin, this.#user];
    const member = [[user, (choice & 4) === 0]] as const;
    if ((choice & 3) === 0) return updateRewardsAuths(admin, member);
    return (choice & 3) === 1 ? updateLendingAuths(admin, member) : updateRebalancer(admin, user);
  }

  #parties({ choice }: LendingStep): { signer: Address; recipient: Address } {
    return { signer: this.#user, recipient: (choice & 127) === 1 ? this.#admin : this.#user };
  }

  #numbers(name: string, first: bigint, bound: bigint): readonly bigint[] {
    return name.includes('_') ? [first, bound] : [first];
  }

  #shares(): bigint {
    const { mint, tokenProgram } = this.#receipt;
    return this.#twin.publicBuild.tokenBalance(deriveAssociatedTokenAddress(this.#user, mint, tokenProgram));
  }
}
