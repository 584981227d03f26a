import { describe, expect, it } from 'vitest';
import { shown } from './shown.ts';

describe('shown', () => {
  it('shows JSON, cut at a length', () => {
    expect(shown({ a: [1, 'x', null] })).toBe('{"a":[1,"x",null]}');
    expect(shown(undefined)).toBe('nothing');
    expect(shown('x'.repeat(200), 10)).toBe('"xxxxxxxxx... (202 characters)');
  });

  it('shows values nested so deeply that JSON.stringify runs out of stack', () => {
    const array: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const object: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    expect(() => JSON.stringify(array)).toThrow(RangeError);
    expect(shown(array)).toBe('[[[[[[[["..."]]]]]]]]');
    expect(shown(object)).toMatch(/^\{"a":\{"a":.*"\.\.\."\}+$/);
  });

  it('shows numbers that JSON cannot hold, at any depth', () => {
    expect(shown(18_446_744_073_709_551_616n)).toBe('18446744073709551616');
    expect(shown({ meta: [2n ** 64n] })).toBe('{"meta":["18446744073709551616"]}');
  });

  it('shows values that contain themselves', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(shown(loop)).toBe('[[[[[[[["..."]]]]]]]]');
  });
});
