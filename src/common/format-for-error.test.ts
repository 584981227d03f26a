import { describe, expect, it } from 'vitest';
import { formatForError } from './format-for-error.ts';

describe('formatForError', () => {
  it('returns JSON that is cut to the maximum length', () => {
    expect(formatForError({ a: [1, 'x', null] })).toBe('{"a":[1,"x",null]}');
    expect(formatForError(undefined)).toBe('nothing');
    expect(formatForError('x'.repeat(200), 10)).toBe('"xxxxxxxxx... (202 characters)');
  });

  it('formats values that are nested too deeply for JSON.stringify', () => {
    const array: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const object: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    expect(() => JSON.stringify(array)).toThrow(RangeError);
    expect(formatForError(array)).toBe('[[[[[[[["..."]]]]]]]]');
    expect(formatForError(object)).toMatch(/^\{"a":\{"a":.*"\.\.\."\}+$/);
  });

  it('formats bigints at any depth', () => {
    expect(formatForError(18_446_744_073_709_551_616n)).toBe('18446744073709551616');
    expect(formatForError({ meta: [2n ** 64n] })).toBe('{"meta":["18446744073709551616"]}');
  });

  it('formats values that contain themselves', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(formatForError(loop)).toBe('[[[[[[[["..."]]]]]]]]');
  });
});
