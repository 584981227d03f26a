import type { PredictionEvent, PredictionEvents, PredictionMarket } from '../../predictions/prediction.ts';

/** Events that a test keeps and changes, as an instance knows them. */
export class HeldEvents implements PredictionEvents {
  readonly #events = new Map<string, PredictionEvent>();
  readonly #listeners = new Set<(eventId: string) => void>();
  #list: readonly PredictionEvent[] | null = null;

  readonly findEvent = (eventId: string) => this.#events.get(eventId) ?? null;
  readonly findMarket = (marketId: string) => this.#find((market) => market.marketId === marketId);
  readonly findMarketByHash = (hash: string) => this.#find(({ marketIdHash }) => marketIdHash === hash);
  readonly listEvents = (): readonly PredictionEvent[] => {
    this.#list ??= [...this.#events.values()];
    return this.#list;
  };
  readonly onChange = (listener: (eventId: string) => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds an event, or replaces it. */
  put(event: PredictionEvent): void {
    this.#events.set(event.eventId, event);
    this.#list = null;
    for (const listener of this.#listeners) listener(event.eventId);
  }

  /** Changes a market. */
  change(marketId: string, change: Partial<PredictionMarket>): void {
    const market = this.findMarket(marketId);
    const event = market === null ? null : this.findEvent(market.eventId);
    if (event === null) throw new Error(`there is no market ${marketId}`);
    const markets = event.markets.map((each) => (each.marketId === marketId ? { ...each, ...change } : each));
    this.put({ ...event, markets });
  }

  #find(isWanted: (market: PredictionMarket) => boolean): PredictionMarket | null {
    return (
      this.listEvents()
        .flatMap(({ markets }) => markets)
        .find(isWanted) ?? null
    );
  }
}
