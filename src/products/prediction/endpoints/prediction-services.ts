import type { ForecastCraftDependencies } from '../../../forecasts/crafting/forecast-dependencies.ts';
import type { Forecasts } from '../../../forecasts/forecast.ts';
import type {
  PredictionEventLists,
  PredictionHistory,
  PredictionPositionLists,
} from '../../../predictions/lists/prediction-lists.ts';
import type { PredictionCraftDependencies } from '../../../predictions/crafting/craft-dependencies.ts';
import type { ExecuteOrderDependencies } from '../../../predictions/crafting/execute-order.ts';
import type { PredictionVault } from '../../../predictions/crafting/prediction-vault.ts';
import type {
  PredictionAccounts,
  PredictionEvents,
  PredictionExchange,
} from '../../../predictions/prediction.ts';
import type { PredictionSocial } from '../../../predictions/social/prediction-social.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { EventPieces } from './json/event-pieces.ts';

/** Prediction markets of a network that has their program, as other rooms hand them to the product. */
export interface PredictionMarkets {
  readonly events: PredictionEvents;
  readonly accounts: PredictionAccounts;
  readonly exchange: PredictionExchange;
  readonly lists: PredictionEventLists & PredictionPositionLists;
  readonly history: PredictionHistory;
  readonly social: PredictionSocial;
  /** Null over a network without the program of forecasts. */
  readonly forecasts: Forecasts | null;
  /** Signs beside the owner of every order. */
  readonly authority: Keypair;
}

/** What the product is opened with. */
export interface PredictionProductParts {
  /** ISO 3166 codes of the countries whose callers are refused. */
  readonly refusedCountries: ReadonlySet<string>;
  /** Null over a network without the program. */
  readonly markets: PredictionMarkets | null;
}

/** What the handlers of the product's endpoints work with. */
export interface PredictionDesk extends Omit<PredictionMarkets, 'authority'> {
  /** The prices and books of both kinds of market. */
  readonly exchange: PredictionExchange;
  readonly vault: PredictionVault;
  /** What orders and claims are made with. */
  readonly crafting: PredictionCraftDependencies;
  /** What orders on forecasts are made with; null over a network without the program. */
  readonly forecastCrafting: ForecastCraftDependencies | null;
  /** What transactions are landed with. */
  readonly executing: ExecuteOrderDependencies;
  /** The events as JSON that is ready to be sent. */
  readonly pieces: EventPieces;
}

/** The services of the endpoints. */
export interface PredictionServices {
  readonly refusedCountries: ReadonlySet<string>;
  /** Null over a network without the program. */
  readonly desk: PredictionDesk | null;
}
