import { describe, expect, it } from 'vitest';
import { FORECAST_CONFIG, FORECAST_PROGRAM } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { ForecastTestWorld } from '../../testing/forecasts/forecast-world.ts';
import { findForecastProblem } from './open-forecasts.ts';

describe('findForecastProblem', () => {
  it('finds nothing wrong with a network whose operator or feed are the expected ones', async () => {
    const { chain, operator, feed } = new ForecastTestWorld();
    expect(await findForecastProblem(chain, { operator: operator.address, feed: null })).toBeNull();
    expect(await findForecastProblem(chain, { operator: null, feed })).toBeNull();
  });

  it('finds that rounds are opened by somebody else, or not on the feed', async () => {
    const { chain, feed } = new ForecastTestWorld();
    expect(await findForecastProblem(chain, { operator: feed, feed: null })).toBe(
      'its forecasts have another operator',
    );
    expect(await findForecastProblem(chain, { operator: null, feed: FORECAST_PROGRAM })).toBe(
      `it has no forecasts on the feed ${FORECAST_PROGRAM}`,
    );
  });

  it.each([
    ['has none', null],
    ['has something else there', new Uint8Array(600)],
    ['has settings that end too early', Uint8Array.of(188, 76, 158, 217, 34, 73, 212, 79, 1)],
  ])('finds that a network %s', async (_, data) => {
    const { chain, network } = new ForecastTestWorld();
    network.setData(
      FORECAST_CONFIG,
      data === null ? SYSTEM_PROGRAM : FORECAST_PROGRAM,
      data ?? new Uint8Array(0),
    );
    expect(await findForecastProblem(chain, { operator: null, feed: null })).toBe(
      `it has no settings of the forecast program at ${FORECAST_CONFIG}`,
    );
  });
});
