import type { PredictionEvents } from '../prediction.ts';

/** Joins the events of two kinds. Their ids differ; those of the first come first in lists. */
export function joinPredictionEvents(first: PredictionEvents, second: PredictionEvents): PredictionEvents {
  let lists: readonly [
    ReturnType<PredictionEvents['listEvents']>,
    ReturnType<PredictionEvents['listEvents']>,
  ] = [[], []];
  let joined: ReturnType<PredictionEvents['listEvents']> = [];
  return {
    findEvent: (eventId) => first.findEvent(eventId) ?? second.findEvent(eventId),
    findMarket: (marketId) => first.findMarket(marketId) ?? second.findMarket(marketId),
    findMarketByHash: (hash) => first.findMarketByHash(hash) ?? second.findMarketByHash(hash),
    listEvents: () => {
      const current = [first.listEvents(), second.listEvents()] as const;
      // Each list stays the same object until it changes.
      if (current[0] !== lists[0] || current[1] !== lists[1]) {
        lists = current;
        joined = current.flat();
      }
      return joined;
    },
    onChange: (listener) => {
      const stops = [first.onChange(listener), second.onChange(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
