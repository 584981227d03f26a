import { describe, expect, it } from 'vitest';
import type { SentAnswer } from '../request/send-request.ts';
import { formatAnswerText } from './answer-text.ts';
import { findRefusal } from './refusal.ts';

describe('formatAnswerText', () => {
  it('indents JSON, with its numbers and names as they were sent', () => {
    const { text, language } = formatAnswerText('{"a":18446744073709551615,"__proto__":1.10}');
    expect(language).toBe('json');
    expect(text).toBe('{\n  "a": 18446744073709551615,\n  "__proto__": 1.10\n}');
  });

  it('shows what is no JSON, or nested too deeply, as it is', () => {
    expect(formatAnswerText('<b>')).toEqual({ text: '<b>', language: 'text', isCut: false });
    const deep = '['.repeat(90_000);
    expect(formatAnswerText(deep)).toEqual({ text: deep, language: 'text', isCut: false });
  });

  it('shows the beginning of a giant text, without parsing it', () => {
    const { text, language, isCut } = formatAnswerText(`"${'x'.repeat(20_000_000)}"`);
    expect([text.length, language, isCut]).toEqual([400_000, 'text', true]);
  });
});

describe('findRefusal', () => {
  it('is null for an answer that refuses nothing', () => {
    expect(findRefusal(createAnswer(200, '{"outAmount":"1"}'))).toBeNull();
    expect(findRefusal(createAnswer(200, '[]'))).toBeNull();
  });

  it('finds why a successful answer has no transaction', () => {
    const answer = createAnswer(200, '{"transaction":"","errorCode":1,"errorMessage":"Insufficient funds"}');
    expect(findRefusal(answer)).toMatchObject({ message: 'Insufficient funds', code: '1' });
  });

  it.each([
    ['{"code":404,"message":"Not Found"}', null],
    ['{"error":{"code":-32602,"message":"Invalid params"}}', '-32602'],
    ['{"error":"NO_ROUTES_FOUND"}', 'NO_ROUTES_FOUND'],
    ['{"error":"A sentence with a reason."}', null],
    ['no json', null],
    ['null', null],
  ])('finds the code of %s: %s', (body, code) => {
    expect(findRefusal(createAnswer(404, body))?.code).toBe(code);
  });

  it('says when it can be tried again', () => {
    const headers = [{ name: 'retry-after', value: '12' }];
    expect(findRefusal({ ...createAnswer(429, '{}'), headers })?.advice).toContain('12 seconds');
  });
});

function createAnswer(status: number, text: string): SentAnswer {
  const head = { status, statusText: '', headers: [], type: 'application/json', headMs: 1 };
  return {
    ...head,
    receivedAt: 1,
    totalMs: 1,
    byteCount: text.length,
    body: { kind: 'text', text, isCut: false },
  };
}
