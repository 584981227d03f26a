import type { ForecastRound, ForecastRounds } from '../../forecasts/forecast.ts';
import { deriveForecastSide } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import { createTestRound } from './test-forecast-accounts.ts';

/** Creates a round of five minutes as the chain has it. */
export function createTestForecast(changed: Partial<ForecastRound> = {}): ForecastRound {
  const openAt = changed.openAt ?? 1_800_000_000;
  const { address, round } = createTestRound({ openTime: BigInt(openAt) });
  const pool = (side: 'up' | 'down') => deriveForecastSide(address, side).address;
  return {
    address,
    feed: round.feed,
    asset: round.asset,
    seconds: round.seconds,
    openAt,
    closeAt: openAt + round.seconds,
    openPrice: round.openPrice,
    exponent: round.exponent,
    closePrice: null,
    outcome: null,
    settledAt: 0,
    up: { mint: round.upMint, pool: pool('up'), outstanding: 0n },
    down: { mint: round.downMint, pool: pool('down'), outstanding: 0n },
    ...changed,
  };
}

/** Rounds of a chain that a test changes. */
export class TestForecastRounds implements ForecastRounds {
  readonly #rounds = new Map<Address, ForecastRound>();
  readonly #listeners = new Set<(round: Address) => void>();

  constructor(rounds: readonly ForecastRound[]) {
    for (const round of rounds) this.#rounds.set(round.address, round);
  }

  readonly find = (round: Address): ForecastRound | null => this.#rounds.get(round) ?? null;

  readonly findByMint: ForecastRounds['findByMint'] = (mint) => {
    for (const round of this.#rounds.values()) {
      if (round.up.mint === mint) return { round, side: 'up' };
      if (round.down.mint === mint) return { round, side: 'down' };
    }
    return null;
  };

  readonly list = (): readonly ForecastRound[] => [...this.#rounds.values()];

  readonly onChange = (listener: (round: Address) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(round: ForecastRound): void {
    this.#rounds.set(round.address, round);
    this.#tell(round.address);
  }

  remove(round: Address): void {
    this.#rounds.delete(round);
    this.#tell(round);
  }

  #tell(round: Address): void {
    for (const listener of this.#listeners) listener(round);
  }
}
