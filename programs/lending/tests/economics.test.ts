import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { PRICE_ONE } from '../../../src/protocols/jupiter-lend/lending-base/amounts.ts';
import {
  type EarnAction,
  createEarnInstruction,
} from '../../../src/protocols/jupiter-lend/lending/instructions.ts';
import { LIQUIDITY_ERRORS } from '../../../src/protocols/jupiter-lend/errors/liquidity.ts';
import { computeWithdrawalLimitAt } from '../../../src/protocols/jupiter-lend/liquidity/limits.ts';
import type { Address } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { startRewards } from '../../lending-reward-rate-model/tests/instructions.ts';
import { reserveVault } from '../../liquidity/tests/instructions.ts';
import { writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import { LendingWorld } from './world.ts';

describe('the price of a receipt token', () => {
  it('does not change if tokens are sent to the vault, so that a first depositor cannot inflate it', () => {
    const market = new Market();
    const [attacker, victim] = [market.newUser(), market.newUser()];
    expect(market.act(attacker, 'deposit', 10n)).toBeNull();
    const before = market.price();
    const vault = reserveVault(market.token);
    const gift = 500_000_000_000n;
    const account = market.network.account(vault);
    const data = Buffer.from(account?.data ?? []);
    data.writeBigUInt64LE(data.readBigUInt64LE(64) + gift, 64);
    if (account !== null) market.network.setAccount(vault, { ...account, data: new Uint8Array(data) });
    market.liquidity.pass(1_000n);
    expect(market.act(victim, 'deposit', 1_000_000n)).toBeNull();
    expect(market.price()).toBe(before);
    expect(market.sharesOf(victim)).toBe(1_000_000n);
  });

  it('never falls, and never pays out more than was deposited, however deposits and withdrawals are split', () => {
    const step = fc.record({
      who: fc.nat({ max: 2 }),
      action: fc.constantFrom<EarnAction>('deposit', 'mint', 'withdraw', 'redeem'),
      amount: fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, 3_000_000n)),
    });
    const property = fc.property(fc.array(step, { minLength: 20, maxLength: 20 }), (steps) => {
      const market = new Market();
      const users = [market.newUser(), market.newUser(), market.newUser()] as const;
      // Interest makes the price an odd number before the users deposit.
      market.act(market.user, 'deposit', 30_000_000n);
      market.liquidity.operate(market.liquidity.protocol(), 0n, 9_999_991n);
      market.liquidity.pass(7_777_777n);
      let price = 0n;
      for (const { who, action, amount } of steps) {
        const user = users[who] ?? users[0];
        market.act(user, action, amount);
        expect(market.price()).toBeGreaterThanOrEqual(price);
        price = market.price();
      }
      // No time has passed, so nothing can have been earned.
      for (const user of users) {
        const worth = (market.sharesOf(user) * price) / PRICE_ONE;
        expect(market.assetsOf(user) + worth).toBeLessThanOrEqual(FUNDS);
      }
    });
    assertProperty(property, { cases: 20, short: 8, seed: SEED });
  });
});

describe('rewards', () => {
  it('pay for the seconds between their start and their end, and not again for those that were counted', () => {
    const market = new Market();
    const user = market.newUser();
    const { admin } = market.liquidity;
    market.act(user, 'deposit', 100_000_000n);
    // 1 % of the assets within 1,000 seconds.
    const terms = { amount: 1_000_000n, duration: 1_000n, startTime: 0n, startTvl: 1n };
    // The maximum rate is half of the assets per year, which is far less than that.
    const mostIn = (seconds: bigint) => (PRICE_ONE * seconds) / 2n / 31_536_000n;
    expect(market.network.send([startRewards(admin, market.token.mint, terms)]).error).toBeNull();
    market.liquidity.pass(400n);
    market.act(user, 'deposit', 1_000n);
    const early = market.price();
    expect(early - PRICE_ONE).toBe(mostIn(400n));
    market.liquidity.pass(5_000n);
    market.act(user, 'deposit', 1_000n);
    const late = market.price();
    // Returns apply to the present price.
    expect(late - early).toBeLessThanOrEqual((mostIn(600n) * late) / PRICE_ONE);
    expect(late - early).toBeGreaterThan((mostIn(599n) * early) / PRICE_ONE);
    market.liquidity.pass(5_000n);
    market.act(user, 'deposit', 1_000n);
    expect(market.price()).toBe(late);
  });

  it('that are not paid in make shares worth more than the supply, but yield no profit at the expense of other suppliers', () => {
    const market = new Market();
    const user = market.newUser();
    market.act(user, 'deposit', 100_000_000n);
    const terms = { amount: 50_000_000n, duration: 31_536_000n, startTime: 0n, startTvl: 1n };
    market.network.send([startRewards(market.liquidity.admin, market.token.mint, terms)]);
    market.liquidity.pass(31_536_000n);
    const late = market.newUser();
    const before = market.assetsOf(late);
    market.act(late, 'deposit', 10_000_000n);
    market.act(late, 'redeem', (1n << 64n) - 1n);
    expect(market.assetsOf(late)).toBeLessThanOrEqual(before);
    const { supply } = market.state().liquidity;
    const owed = (market.state().shares * market.price()) / PRICE_ONE;
    expect(owed).toBeGreaterThan(supply?.amount ?? 0n);
  });
});

describe('the withdrawal limit', () => {
  it('allows a fifth at once, and the rest as it expands, however many withdrawals share it', () => {
    const market = new Market();
    const users = [market.newUser(), market.newUser()] as const;
    for (const user of users) expect(market.act(user, 'deposit', 50_000_000n)).toBeNull();
    market.liquidity.pass(3_600n);
    expect(market.act(users[0], 'withdraw', 20_000_000n)).toBeNull();
    const code = 6000 + LIQUIDITY_ERRORS.indexOf('WithdrawalLimitReached');
    // The limit is common to all users: the other user meets it too, and small withdrawals cannot avoid it.
    expect(market.act(users[1], 'withdraw', 1_000n)?.custom).toBe(code);
    for (let tries = 0; tries < 5; tries++) {
      expect(market.act(users[1], 'redeem', 100n)?.custom).toBe(code);
    }
    market.liquidity.pass(1_800n);
    const { supply } = market.state().liquidity;
    if (supply === null) throw new Error('the lending supplies');
    const free = supply.amount - computeWithdrawalLimitAt(supply, market.liquidity.now());
    expect(free).toBe(8_000_000n);
    expect(market.act(users[1], 'withdraw', free + 1n)?.custom).toBe(code);
    expect(market.act(users[1], 'withdraw', free)).toBeNull();
  });

  it('rises with a large deposit, so that only a fifth of everything can leave right away', () => {
    const market = new Market();
    const [holder, whale] = [market.newUser(), market.newUser()];
    market.act(holder, 'deposit', 50_000_000n);
    market.liquidity.pass(3_600n);
    market.act(whale, 'deposit', 500_000_000n);
    expect(market.act(whale, 'withdraw', 110_000_001n)).not.toBeNull();
    expect(market.act(whale, 'withdraw', 110_000_000n)).toBeNull();
  });
});

describe('accounts of others', () => {
  it('cannot be used to burn their shares or to receive their assets', () => {
    const market = new Market();
    const [owner, thief] = [market.newUser(), market.newUser()];
    market.act(owner, 'deposit', 10_000_000n);
    const { mint, tokenProgram } = market.token;
    const instruction = createEarnInstruction('redeem', { signer: thief, mint, tokenProgram }, 1_000_000n);
    const accounts = [...instruction.accounts];
    const owned = deriveAssociatedTokenAddress(owner, market.receipt.mint, tokenProgram);
    accounts[1] = { ...(accounts[1] as (typeof accounts)[number]), address: owned };
    expect(market.network.send([{ ...instruction, accounts }]).error).not.toBeNull();
    expect(market.sharesOf(owner)).toBe(10_000_000n);
  });
});

const SEED = 20_261_125;
const FUNDS = 1_000_000_000_000n;

/** An earn token with several users, who have equal funds. */
class Market extends LendingWorld {
  newUser(): Address {
    const user = this.network.newWallet();
    for (const [token, amount] of [
      [this.token, FUNDS],
      [this.receipt, 0n],
    ] as const) {
      const address = deriveAssociatedTokenAddress(user, token.mint, token.tokenProgram);
      writeTokenAccount(this.network, address, user, token, amount);
    }
    return user;
  }

  act(user: Address, action: EarnAction, amount: bigint) {
    const { mint, tokenProgram } = this.token;
    return this.network.send([createEarnInstruction(action, { signer: user, mint, tokenProgram }, amount)])
      .error;
  }

  assetsOf(user: Address): bigint {
    return this.network.tokenBalance(
      deriveAssociatedTokenAddress(user, this.token.mint, this.token.tokenProgram),
    );
  }

  sharesOf(user: Address): bigint {
    return this.network.tokenBalance(
      deriveAssociatedTokenAddress(user, this.receipt.mint, this.receipt.tokenProgram),
    );
  }
}
