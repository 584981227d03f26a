import fc from 'fast-check';
import {
  AUTH_LIST,
  borrowPositionAddress,
  claimAddress,
  LIQUIDITY,
  rateModelAddress,
  reserveAddress,
  supplyPositionAddress,
} from '../../../programs/liquidity/tests/addresses.ts';
import {
  changeStatus,
  claim,
  closeClaimAccount,
  collectRevenue,
  initClaimAccount,
  initLiquidity,
  initNewProtocol,
  initTokenReserve,
  operate,
  pauseUser,
  preOperate,
  reserveVault,
  type Token,
  unpauseUser,
  updateAuths,
  updateExchangePrice,
  updateGuardians,
  updateRateDataV1,
  updateRateDataV2,
  updateRevenueCollector,
  updateTokenConfig,
  updateUserBorrowConfig,
  updateUserClass,
  updateUserSupplyConfig,
  updateUserWithdrawalLimit,
} from '../../../programs/liquidity/tests/instructions.ts';
import { decodePosition } from '../../../programs/liquidity/tests/layout.ts';
import {
  type Token as FixtureToken,
  token,
  writeTokenAccount,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';
import type { Comparison, ValidInstruction } from '../comparison.ts';
import { NO_ACCOUNT } from '../twin.ts';
import type { LendTwin } from './public-build.ts';

const KINDS = {
  supply: 12,
  withdraw: 10,
  borrow: 10,
  payback: 8,
  mixed: 6,
  'update price': 3,
  rates: 1,
  'token config': 1,
  'supply config': 2,
  'borrow config': 2,
  'withdrawal limit': 1,
  revenue: 1,
  pause: 1,
  resume: 2,
  class: 1,
  members: 1,
  collector: 1,
  'claim account': 1,
  'close claim': 1,
  claim: 2,
  lock: 1,
} as const;

/** One instruction with what it needs; what the numbers mean depends on the kind. */
export interface Step {
  readonly kind: keyof typeof KINDS;
  readonly protocol: number;
  readonly token: number;
  /** Seconds that pass before it. */
  readonly seconds: bigint;
  readonly amount: bigint;
  readonly other: bigint;
  /** In millionths of what there is. */
  readonly share: bigint;
  readonly otherShare: bigint;
  readonly choice: number;
  readonly numbers: readonly bigint[];
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
  { weight: 3, arbitrary: fc.constant(0n) },
  { weight: 3, arbitrary: fc.bigInt(0n, 5000n) },
  { weight: 1, arbitrary: fc.bigInt(0n, 5_000_000n) },
);

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind,
    protocol: fc.nat(2),
    token: fc.nat(1),
    seconds,
    amount: size(44),
    other: size(44),
    share: fc.bigInt(0n, 1_200_000n),
    otherShare: fc.bigInt(0n, 1_200_000n),
    choice: fc.nat(255),
    numbers: fc.array(fc.bigInt(0n, 12_000n), { minLength: 6, maxLength: 6 }),
  }),
  { minLength: 40, maxLength: 40 },
);

const NOW = 1_700_000_000n;

/** Bytes of a token account without extensions. */
const TOKEN_ACCOUNT_BYTES = 165n;

/** Wrapped SOL, whose token accounts hold lamports and whose mint has no supply. */
const WRAPPED_SOL: FixtureToken = {
  mint: WRAPPED_SOL_MINT,
  tokenProgram: TOKEN_PROGRAM,
  decimals: 9,
  extensions: [],
};

/** A life of the liquidity program: two tokens, three protocols, one after another. */
export class LiquidityLife {
  readonly #twin: LendTwin;
  readonly #comparison: Comparison;
  readonly tokens: readonly FixtureToken[];
  readonly admin: Address;
  readonly payee: Address;
  readonly protocols: readonly Address[];
  #now = NOW;

  /** @param withNative - Whether the first token is wrapped SOL. */
  constructor(twin: LendTwin, comparison: Comparison, withNative = false) {
    this.#twin = twin;
    this.#comparison = comparison;
    const names: readonly Address[] = Array.from({ length: 5 }, () => this.#wallet());
    const [admin, payee, ...protocols] = names;
    if (admin === undefined || payee === undefined) throw new Error('five wallets were made');
    [this.admin, this.payee, this.protocols] = [admin, payee, protocols];
    const first = withNative ? WRAPPED_SOL : token(`first of ${admin}`);
    this.tokens = [first, token(`second of ${admin}`, [], true)];
    this.#prepare();
  }

  /** Instructions that both programs take, for a token and a protocol with a supply and a debt. */
  *validInstructions(): Iterable<ValidInstruction> {
    const [token, otherToken] = this.tokens;
    const [protocol, otherProtocol] = this.protocols;
    if (!token || !otherToken || !protocol || !otherProtocol) throw new Error('there are two of each');
    const [{ admin, payee }, { mint }] = [this, token];
    const both = { supply: true, borrow: true };
    const parties = { ...both, withdrawTo: payee, borrowTo: payee, transferType: 1 };
    const accounts = { withdrawTo: true, borrowTo: true, withdrawClaim: true, borrowClaim: true };
    const deal = (supplyAmount: bigint, borrowAmount: bigint, transferType = 1): Instruction =>
      operate(protocol, token, { ...parties, supplyAmount, borrowAmount, transferType, accounts });
    this.#send(initClaimAccount(admin, mint, payee));
    this.#send(preOperate(protocol, token, both));
    this.#bring(token, 5_000_000n);
    this.#send(deal(5_000_000n, 0n));
    this.#send(deal(0n, 100_000n));
    this.#send(deal(-1000n, 0n, 2));
    this.#send(preOperate(protocol, token, both));
    this.#bring(token, 1000n);
    const strangers = [
      ...[admin, payee, protocol, otherProtocol, mint, otherToken.mint, LIQUIDITY, AUTH_LIST],
      ...[token, otherToken].flatMap((one) => [
        reserveVault(one),
        deriveAssociatedTokenAddress(payee, one.mint, one.tokenProgram),
        ...[reserveAddress(one.mint), rateModelAddress(one.mint), one.tokenProgram],
        ...[protocol, otherProtocol].flatMap((owner) => [
          supplyPositionAddress(one.mint, owner),
          borrowPositionAddress(one.mint, owner),
        ]),
      ]),
      claimAddress(payee, mint),
    ];
    const config = { mode: 1, expandPercent: 100n, expandDuration: 100n };
    const target = { protocol, supplyMint: mint, borrowMint: mint, supplyStatus: 1, borrowStatus: 1 };
    const valid: readonly (readonly [name: string, Instruction])[] = [
      ['deposit', deal(1000n, 0n)],
      ['pay back', deal(0n, -1000n)],
      ['withdraw', deal(-1000n, 0n)],
      ['borrow', deal(0n, 1000n)],
      ['withdraw and borrow', deal(-1000n, 1000n)],
      ['withdraw and borrow for a claim', deal(-1000n, 1000n, 2)],
      ['pre_operate', preOperate(protocol, token, both)],
      ['update_exchange_price', updateExchangePrice(mint)],
      ['claim', claim(payee, token, payee)],
      ['collect_revenue', collectRevenue(admin, token, admin)],
      ['change_status', changeStatus(admin, true)],
      ['update_rate_data_v1', updateRateDataV1(admin, mint, { kink: 1n, atZero: 1n, atKink: 1n, atMax: 1n })],
      ['update_token_config', updateTokenConfig(admin, mint, 1n, 1n)],
      [
        'update_user_supply_config',
        updateUserSupplyConfig(admin, protocol, mint, { ...config, baseWithdrawalLimit: 1n }),
      ],
      [
        'update_user_borrow_config',
        updateUserBorrowConfig(admin, protocol, mint, { ...config, baseDebtCeiling: 1n, maxDebtCeiling: 1n }),
      ],
      ['update_user_withdrawal_limit', updateUserWithdrawalLimit(admin, protocol, mint, 1n)],
      ['update_user_class', updateUserClass(admin, [[protocol, 1]])],
      ['update_auths', updateAuths(admin, [[protocol, true]])],
      ['update_revenue_collector', updateRevenueCollector(admin, protocol)],
      ['pause_user', pauseUser(admin, target)],
    ];
    for (const [name, instruction] of valid) yield [name, instruction, strangers];
  }

  /** Whether both did the same; a life in which they differ goes no further. */
  run(step: Step, tried: unknown): boolean {
    this.#now += step.seconds;
    this.#twin.both((network) => network.setUnixTime(this.#now));
    for (const instruction of this.#instructions(step)) {
      const different = this.#twin.difference(instruction);
      this.#comparison.add(different, { tried, step });
      if (different !== null) return false;
    }
    return true;
  }

  #wallet(): Address {
    const address = this.#twin.standIn.newWallet();
    if (this.#twin.publicBuild.newWallet() !== address)
      throw new Error('the networks make the same addresses');
    return address;
  }

  #prepare(): void {
    const [admin, protocols] = [this.admin, this.protocols];
    const send = (instruction: Instruction): void => this.#send(instruction);
    this.#twin.both((network) => network.setUnixTime(this.#now));
    if (this.#twin.standIn.account(LIQUIDITY) !== null) {
      // A new life begins without what the last one left.
      const first = initLiquidity(admin, admin, admin);
      const reserves = this.tokens.flatMap((one) => [
        reserveAddress(one.mint),
        rateModelAddress(one.mint),
        reserveVault(one),
      ]);
      for (const address of [...first.accounts.slice(1, 3).map((meta) => meta.address), ...reserves]) {
        this.#twin.both((network) => network.setAccount(address, NO_ACCOUNT));
      }
    }
    send(initLiquidity(admin, admin, admin));
    for (const [index, one] of this.tokens.entries()) {
      const isNative = one.mint === WRAPPED_SOL_MINT;
      const base = {
        mintAuthority: null,
        supply: isNative ? 0n : 1n << 58n,
        decimals: isNative ? one.decimals : 6 + 3 * index,
        freezeAuthority: null,
      };
      this.#twin.both((network) => {
        network.setData(one.mint, one.tokenProgram, encodeMint({ ...base, extensions: [] }));
        const payees = deriveAssociatedTokenAddress(this.payee, one.mint, one.tokenProgram);
        writeTokenAccount(network, payees, this.payee, one, 0n);
        if (isNative) markNative(network, payees);
      });
      send(initTokenReserve(admin, one));
      send(updateTokenConfig(admin, one.mint, 1000n, 9000n));
      send(updateRateDataV1(admin, one.mint, { kink: 8000n, atZero: 50n, atKink: 700n, atMax: 12_000n }));
      send(updateTokenConfig(admin, one.mint, 1000n, 9500n));
      for (const [at, protocol] of protocols.entries()) {
        send(initNewProtocol(admin, one.mint, one.mint, protocol));
        const base = { mode: (at + index) & 1, expandPercent: 2500n, expandDuration: 7200n };
        send(updateUserSupplyConfig(admin, protocol, one.mint, { ...base, baseWithdrawalLimit: 100_000n }));
        send(
          updateUserBorrowConfig(admin, protocol, one.mint, {
            ...base,
            baseDebtCeiling: 1_000_000_000n,
            maxDebtCeiling: 1_000_000_000_000n,
          }),
        );
      }
    }
    send(
      updateUserClass(admin, [
        [protocols[0] ?? admin, 0],
        [protocols[1] ?? admin, 1],
      ]),
    );
  }

  #send(instruction: Instruction): void {
    this.#comparison.addPreparation(this.#twin.difference(instruction), 'preparation');
  }

  *#instructions(step: Step): Iterable<Instruction> {
    const [token, protocol] = [this.tokens[step.token], this.protocols[step.protocol]];
    if (token === undefined || protocol === undefined)
      throw new Error('there are two tokens and three protocols');
    switch (step.kind) {
      case 'supply':
        return yield* this.#operate(step, token, protocol, step.amount, 0n);
      case 'withdraw':
        return yield* this.#operate(step, token, protocol, -this.#supplied(step, token, protocol), 0n);
      case 'borrow':
        return yield* this.#operate(step, token, protocol, 0n, step.other);
      case 'payback':
        return yield* this.#operate(step, token, protocol, 0n, -this.#borrowed(step, token, protocol));
      case 'mixed': {
        const supply = step.choice & 1 ? step.amount : -this.#supplied(step, token, protocol);
        const borrow = step.choice & 2 ? step.other : -this.#borrowed(step, token, protocol);
        return yield* this.#operate(step, token, protocol, supply, borrow);
      }
      case 'claim account':
        return yield initClaimAccount(this.admin, token.mint, this.payee);
      case 'close claim':
        return yield closeClaimAccount(this.payee, token.mint);
      case 'claim':
        return yield claim(this.payee, token, this.payee);
      default:
        return yield this.#administration(step, token, protocol);
    }
  }

  #supplied({ share }: Step, { mint }: Token, protocol: Address): bigint {
    return (this.#position(supplyPositionAddress(mint, protocol)) * share) / 1_000_000n;
  }

  #borrowed({ otherShare }: Step, { mint }: Token, protocol: Address): bigint {
    return (this.#position(borrowPositionAddress(mint, protocol)) * otherShare) / 1_000_000n;
  }

  #position(address: Address): bigint {
    const account = this.#twin.publicBuild.account(address);
    return account === null ? 0n : decodePosition(account.data).amount;
  }

  *#operate(
    { choice }: Step,
    token: FixtureToken,
    protocol: Address,
    supplyAmount: bigint,
    borrowAmount: bigint,
  ): Iterable<Instruction> {
    const arriving = (supplyAmount > 0n ? supplyAmount : 0n) + (borrowAmount < 0n ? -borrowAmount : 0n);
    const positions = { supply: (choice & 31) !== 1, borrow: (choice & 31) !== 2 };
    if (arriving > 0n && (choice & 15) !== 3) {
      yield preOperate(protocol, token, positions);
      this.#bring(token, (choice & 31) === 4 ? (arriving * 1011n) / 1000n : arriving + BigInt(choice & 1));
    }
    const given = (choice & 63) !== 5;
    const claims =
      this.#twin.publicBuild.account(claimAddress(this.payee, token.mint)) !== null && (choice & 7) === 6;
    yield operate(protocol, token, {
      ...positions,
      supplyAmount,
      borrowAmount,
      withdrawTo: this.payee,
      borrowTo: this.payee,
      transferType: claims ? 2 : (choice & 63) === 7 ? choice >> 6 : 1,
      accounts: { withdrawTo: given, borrowTo: given, withdrawClaim: claims, borrowClaim: claims },
    });
  }

  /**
   * Tokens that arrive in the vault by themselves. Those of wrapped SOL bring lamports; now and then there are more lamports
   * than the token account counts, because somebody has sent some without synchronizing it.
   */
  #bring(token: FixtureToken, amount: bigint): void {
    this.#twin.both((network) => {
      const vault = reserveVault(token);
      const account = network.account(vault);
      if (account === null) return;
      const data = Buffer.from(account.data);
      data.writeBigUInt64LE(data.readBigUInt64LE(64) + amount, 64);
      const donated = amount % 7n === 0n ? amount / 2n : 0n;
      const lamports =
        token.mint === WRAPPED_SOL_MINT ? account.lamports + amount + donated : account.lamports;
      network.setAccount(vault, { ...account, lamports, data: new Uint8Array(data) });
    });
  }

  #administration(step: Step, token: FixtureToken, protocol: Address): Instruction {
    const [admin, { mint }] = [this.admin, token];
    const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n] = step.numbers;
    const base = { mode: step.choice % 2, expandPercent: a, expandDuration: b };
    const target = {
      protocol,
      supplyMint: mint,
      borrowMint: mint,
      supplyStatus: [null, 0, 1][step.choice % 3] ?? null,
      borrowStatus: [null, 0, 1][(step.choice >> 2) % 3] ?? null,
    };
    switch (step.kind) {
      case 'update price':
        return updateExchangePrice(mint);
      case 'rates':
        return step.choice & 1
          ? updateRateDataV1(admin, mint, {
              kink: a,
              atZero: b,
              atKink: c,
              atMax: c + d * BigInt(step.choice >> 5),
            })
          : updateRateDataV2(admin, mint, {
              kink1: a / 2n,
              kink2: a,
              atZero: c,
              atKink1: d,
              atKink2: e,
              atMax: e + f * BigInt(step.choice >> 5),
            });
      case 'token config':
        return updateTokenConfig(admin, mint, a, b);
      case 'supply config':
        return updateUserSupplyConfig(admin, protocol, mint, { ...base, baseWithdrawalLimit: step.amount });
      case 'borrow config':
        return updateUserBorrowConfig(admin, protocol, mint, {
          ...base,
          baseDebtCeiling: step.amount,
          maxDebtCeiling: step.amount + step.other,
        });
      case 'withdrawal limit':
        return updateUserWithdrawalLimit(admin, protocol, mint, this.#supplied(step, token, protocol));
      case 'pause':
        return pauseUser(admin, target);
      case 'resume':
        return unpauseUser(admin, target);
      case 'class':
        return updateUserClass(admin, [[protocol, step.choice % 3]]);
      case 'members':
        return (step.choice & 1 ? updateAuths : updateGuardians)(admin, [
          [protocol, (step.choice & 2) === 0],
        ]);
      case 'collector':
        return updateRevenueCollector(admin, protocol);
      case 'lock':
        return changeStatus(admin, (step.choice & 7) === 0);
      default:
        return collectRevenue(admin, token, admin);
    }
  }
}

/** Makes an empty token account one that holds lamports, as the token program does for wrapped SOL. */
function markNative(network: TestNetwork, address: Address): void {
  const account = network.account(address);
  if (account === null) throw new Error(`there is no account at ${address}`);
  const reserved = network.svm.minimumBalanceForRentExemption(TOKEN_ACCOUNT_BYTES);
  const decoded = decodeTokenAccount(account.data);
  const data = encodeTokenAccount({ ...decoded, nativeReserve: reserved });
  network.setAccount(address, { ...account, lamports: reserved, data });
}
