import { expect, it } from 'vitest';
import { SharedBudget } from './shared-budget.ts';

it('SharedBudget shares a total, and takes back what was given', () => {
  const budget = new SharedBudget(100, 1);
  expect(budget.take('a', 40)).toBe(true);
  expect(budget.take('a', 20)).toBe(false);
  expect(budget.take('a', 10)).toBe(true);
  expect(budget.take('b', 25)).toBe(true);
  expect(budget.take('b', 1)).toBe(false);
  expect(budget.take('c', 26)).toBe(false);
  expect(budget.held).toBe(75);
  budget.giveBack('a', 50);
  expect(budget.take('b', 1)).toBe(true);
  expect(budget.take('c', 74)).toBe(true);
  budget.giveBack('b', 26);
  budget.giveBack('c', 74);
  expect(budget.held).toBe(0);
  expect(budget.take('a', 100)).toBe(true);
});
