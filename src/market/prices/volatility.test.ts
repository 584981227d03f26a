import { beforeEach, describe, expect, it } from 'vitest';
import { SimulatedPrice } from '../../testing/price-process.ts';

let process: SimulatedPrice;

beforeEach(() => {
  process = new SimulatedPrice(20_261_124);
});

describe('Volatility', () => {
  it('finds the variance of a random walk', () => {
    let sum = 0;
    const slots = 20_000;
    for (let slot = 0; slot < slots; slot++) {
      process.step(DEVIATION);
      if (slot >= 1_000) sum += process.variance;
    }
    expect(sum / (slots - 1_000) / DEVIATION ** 2).toBeGreaterThan(0.9);
    expect(sum / (slots - 1_000) / DEVIATION ** 2).toBeLessThan(1.1);
  });

  it('forgets by half in 150 quiet slots', () => {
    for (let slot = 0; slot < 500; slot++) process.step(DEVIATION);
    const before = process.variance;
    process.pass(150);
    expect(process.variance / before).toBeCloseTo(0.5, 6);
  });

  it('does not count what goes back and forth within a slot', () => {
    process.trade(0);
    process.pass();
    for (let slot = 0; slot < 10; slot++) {
      process.trade(0.1);
      process.trade(0);
      process.pass();
    }
    expect(process.variance).toBe(0);
  });

  it('counts a move over several slots without trades as the sum of smaller moves', () => {
    process.trade(0);
    process.pass(10);
    process.trade(0.01);
    process.pass();
    expect(process.variance).toBeGreaterThan(0);
    expect(process.variance).toBeLessThan(0.01 ** 2 / 100);
  });

  it('ignores changes after close', () => {
    process.close();
    for (let slot = 0; slot < 10; slot++) process.step(DEVIATION);
    expect(process.variance).toBe(0);
  });
});

const DEVIATION = 0.001;
