import { describe, expect, it } from 'vitest';
import { escapeInvisible, shortenAddress, shortenName } from './format-text.ts';

describe('escapeInvisible', () => {
  it.each([
    ['plain text, \u00e9, \u4e2d, \ud83d\ude00', 'plain text, \u00e9, \u4e2d, \ud83d\ude00'],
    ['a\u202eb', 'a\\u202eb'],
    ['a\u0000b\u0007\u001b[31m', 'a\\u0000b\\u0007\\u001b[31m'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['two\nlines\tand\u2028more', 'two\nlines\tand\\u2028more'],
    ['tag \u{e0041}', 'tag \\u{e0041}'],
    ['alone \ud800', 'alone \\ud800'],
  ])('writes %j as %j', (text, escaped) => {
    expect(escapeInvisible(text)).toBe(escaped);
  });
});

describe('shortenName', () => {
  it('leaves out what cannot be seen, and cuts between letters', () => {
    expect(shortenName(' US\u202eD\u200bC\n', 16)).toBe('USDC');
    expect(shortenName('\ud83d\ude00\ud83d\ude00\ud83d\ude00', 2)).toBe('\ud83d\ude00…');
  });
});

describe('shortenAddress', () => {
  it('shows that a text of somebody else is no address', () => {
    expect(shortenAddress('So11111111111111111111111111111111111111112')).toBe('So11…1112');
    expect(shortenAddress('\u202eab')).toBe('\\u202eab');
    expect(shortenAddress('\u202eab'.padEnd(40, 'x'))).toBe('\\u202eabx…xxxx');
  });
});
