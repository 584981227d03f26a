import type { ForecastStep } from '../../forecasts/history/followed-forecasts.ts';
import type {
  ForecastPaidOut,
  ForecastProgramEvent,
  ForecastRoundSettled,
  ForecastSwapped,
} from '../../protocols/bisonfi-forecast/forecast-events.ts';
import type { OutcomeSide } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { deriveOutcomeTokens } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { createTestRound } from './test-forecast-accounts.ts';

/** Two wallets of tests. */
export const [ANNA, BEN] = [31, 32].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
];

/** The events of one round of five minutes, as the program would log them. */
export class TestRoundEvents {
  readonly address: Address;
  readonly openAt: number;
  readonly #round: ReturnType<typeof createTestRound>['round'];
  #slot = 100n;

  constructor(openAt = 1_800_000_000) {
    const { address, round } = createTestRound({ openTime: BigInt(openAt) });
    this.address = address;
    this.openAt = openAt;
    this.#round = round;
  }

  mint(side: OutcomeSide): Address {
    return side === 'up' ? this.#round.upMint : this.#round.downMint;
  }

  /** Puts events into a transaction of their own, in a slot of its own. */
  land(...events: readonly ForecastProgramEvent[]): readonly ForecastStep[] {
    const slot = ++this.#slot;
    return events.map((event) => ({ event, signature: `${this.openAt} ${slot}`, slot }));
  }

  opened(): ForecastProgramEvent {
    const { feed, asset, seconds, openTime, closeTime, openPrice, exponent, upMint, downMint, funding } =
      this.#round;
    return {
      kind: 'round-opened',
      round: this.address,
      feed,
      asset,
      seconds,
      openTime,
      closeTime,
      openPrice,
      exponent,
      upMint,
      downMint,
      funding,
      timestamp: openTime,
    };
  }

  bought(owner: Address, side: OutcomeSide, contracts: bigint, usdc: bigint): ForecastProgramEvent {
    return this.#swapped({ owner, side, contracts, usdc, isBuy: true });
  }

  /** Somebody buys tokens into the account of an owner. */
  given(owner: Address, authority: Address, side: OutcomeSide, contracts: bigint, usdc: bigint) {
    return { ...this.#swapped({ owner, side, contracts, usdc, isBuy: true }), authority };
  }

  sold(owner: Address, side: OutcomeSide, contracts: bigint, usdc: bigint): ForecastProgramEvent {
    return this.#swapped({ owner, side, contracts, usdc, isBuy: false });
  }

  settled(outcome: ForecastRoundSettled['outcome']): ForecastProgramEvent {
    return {
      kind: 'round-settled',
      round: this.address,
      outcome,
      openPrice: this.#round.openPrice,
      closePrice: outcome === 'void' ? 0n : this.#round.openPrice + (outcome === 'up' ? 1n : -1n),
      upOutstanding: 0n,
      downOutstanding: 0n,
      returned: 0n,
      timestamp: this.#at(302),
    };
  }

  paidOut(
    owner: Address,
    { side, outcome, burned, paid }: Pick<ForecastPaidOut, 'side' | 'outcome' | 'burned' | 'paid'>,
  ): ForecastProgramEvent {
    return {
      kind: 'paid-out',
      round: this.address,
      owner,
      account: deriveOutcomeTokens(owner, this.mint(side)),
      side,
      outcome,
      burned,
      paid,
      timestamp: this.#at(305),
    };
  }

  closed(): ForecastProgramEvent {
    return { kind: 'round-closed', round: this.address, returned: 0n, timestamp: this.#at(310) };
  }

  #swapped(trade: Pick<ForecastSwapped, 'owner' | 'side' | 'contracts' | 'usdc' | 'isBuy'>): ForecastSwapped {
    return {
      ...trade,
      kind: 'swapped',
      round: this.address,
      account: deriveOutcomeTokens(trade.owner, this.mint(trade.side)),
      authority: trade.owner,
      fairPrice: 500_000n,
      price: 510_000n,
      feedPrice: this.#round.openPrice,
      upOutstanding: 0n,
      downOutstanding: 0n,
      timestamp: this.#at(60),
    };
  }

  #at(seconds: number): bigint {
    return BigInt(this.openAt + seconds);
  }
}
