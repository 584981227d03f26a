import { describe, expect, it } from 'vitest';
import { FORECAST_PROGRAM } from '../../../protocols/bisonfi-forecast/forecast-program.ts';
import { FORECAST_SETTINGS, findForecastContradictions, toForecastConfig } from './forecast-settings.ts';

const SOURCES = { forecasts: 'the environment', 'forecast-feed': 'flag --forecast-feed' };
const RPC = 'http://127.0.0.1:8899';

describe('toForecastConfig', () => {
  it('serves the forecasts of the own network by default, and none of another one', () => {
    expect(toForecastConfig({ forecasts: true, 'forecast-feed': '' }, '/')).toEqual({
      isOn: true,
      feed: null,
    });
  });

  it('takes the address of a feed only', () => {
    const { accepts } = FORECAST_SETTINGS['forecast-feed'];
    expect(['', FORECAST_PROGRAM, 'BTC', `${FORECAST_PROGRAM}1`].map(accepts)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('findForecastContradictions', () => {
  const find = (forecasts: boolean, feed: string, url: string) =>
    findForecastContradictions({ forecasts, 'forecast-feed': feed, 'rpc-url': url }, SOURCES);

  it('refuses a feed on the embedded network, which has its own', () => {
    expect(find(true, FORECAST_PROGRAM, '')).toEqual([
      `forecast-feed from flag --forecast-feed is "${FORECAST_PROGRAM}", but must be the address of a price feed, only together with rpc-url: the embedded network has forecasts on a feed of its own`,
    ]);
  });

  it('refuses a feed for forecasts that are off', () => {
    expect(find(false, FORECAST_PROGRAM, RPC)).toEqual([
      `forecast-feed from flag --forecast-feed is "${FORECAST_PROGRAM}", but forecasts from the environment is false`,
    ]);
  });

  it('finds nothing wrong otherwise', () => {
    expect([find(true, FORECAST_PROGRAM, RPC), find(false, '', RPC), find(true, '', '')]).toEqual([
      [],
      [],
      [],
    ]);
  });
});
