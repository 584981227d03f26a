import type { FollowedProgram } from '../../chain/events/followed-program.ts';
import {
  decodeForecastEvent,
  type ForecastProgramEvent,
} from '../../protocols/bisonfi-forecast/forecast-events.ts';
import { FORECAST_PROGRAM } from '../../protocols/bisonfi-forecast/forecast-program.ts';

/** An event of the forecast program, with the transaction in which it landed. */
export interface ForecastStep {
  readonly event: ForecastProgramEvent;
  readonly signature: string;
  readonly slot: bigint;
}

/** The program of forecasts, as it is followed by its events. */
export const FOLLOWED_FORECASTS: FollowedProgram<ForecastStep> = {
  name: 'forecasts',
  program: FORECAST_PROGRAM,
  eventAuthority: FORECAST_PROGRAM,
  eventsIn: 'log',
  toStep: ({ data }, { signature, slot }) => {
    const event = decodeForecastEvent(data);
    return event === null ? null : { event, signature, slot };
  },
};
