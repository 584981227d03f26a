import { describe, expect, it } from 'vitest';
import { UsageError } from '../../command-line/command-line.ts';
import { parseThen, parseWhen } from './rule-expression.ts';

describe('parseWhen', () => {
  it.each([
    ['always', []],
    ['path=/swap', [[{ type: 'path', values: ['/swap'] }]]],
    [
      'path=/swap,/price and method=POST or header.x-app=my app',
      [
        [
          { type: 'path', values: ['/swap', '/price'] },
          { type: 'method', values: ['POST'] },
        ],
        [{ type: 'header', name: 'x-app', values: ['my app'] }],
      ],
    ],
    [
      'key=mobile app AND country=CH,DE',
      [
        [
          { type: 'key', values: ['mobile app'] },
          { type: 'country', values: ['CH', 'DE'] },
        ],
      ],
    ],
    ['header.x-app=a=b', [[{ type: 'header', name: 'x-app', values: ['a=b'] }]]],
  ])('%s', (text, groups) => {
    expect(parseWhen(text)).toEqual(groups);
  });

  it.each(['', 'path', 'path=', 'path=/swap and', 'or path=/swap', '=x', 'path = /swap'])(
    'are not %j',
    (text) => {
      expect(() => parseWhen(text)).toThrow(UsageError);
    },
  );
});

describe('parseThen', () => {
  it.each([
    ['deny', { type: 'deny' }],
    ['30 per 90s per team', { type: 'rate-limit', limit: 30, window: '90s', per: 'team' }],
    ['30 per minute per ip', { type: 'rate-limit', limit: 30, window: 'minute', per: 'ip' }],
  ])('%s', (text, action) => {
    expect(parseThen(text)).toEqual(action);
  });

  it.each(['', 'drop', '30', '-1 per minute per ip', '30 per minute'])('refuses %j', (text) => {
    expect(() => parseThen(text)).toThrow(UsageError);
  });
});
