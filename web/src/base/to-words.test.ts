import { describe, expect, it } from 'vitest';
import { toWords } from './to-words.ts';

describe('toWords', () => {
  it.each([
    ['swap_base_input', 'swap base input'],
    ['setComputeUnitLimit', 'set compute unit limit'],
    ['event SwapsEvent', 'event Swaps event'],
  ])('turns %s into %s', (name, words) => {
    expect(toWords(name)).toBe(words);
  });
});
