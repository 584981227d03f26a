import { beforeEach, expect, it } from 'vitest';
import { createAnswerBatch } from './answer-batch.ts';

let time = 0;
let written: string[] = [];
let answer: (text: string) => void;
beforeEach(() => {
  time = 0;
  written = [];
  const together = createAnswerBatch(() => time, 2);
  answer = (text) => together(() => written.push(text));
});

it('answeringTogether writes answers in order after the requests of a round are handled', async () => {
  answer('a');
  answer('b');
  expect(written).toEqual([]);
  await nextRound();
  expect(written).toEqual(['a', 'b']);
  answer('c');
  await nextRound();
  expect(written).toEqual(['a', 'b', 'c']);
});

it('answeringTogether limits how long an answer waits', async () => {
  answer('a');
  time += 1;
  answer('b');
  expect(written).toEqual([]);
  time += 1;
  answer('c');
  expect(written).toEqual(['a', 'b', 'c']);
  answer('d');
  expect(written).toEqual(['a', 'b', 'c']);
  await nextRound();
  expect(written).toEqual(['a', 'b', 'c', 'd']);
});

const nextRound = () => new Promise((resolve) => setImmediate(resolve));
