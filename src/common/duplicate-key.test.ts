import { expect, it } from 'vitest';
import { findDuplicateKey } from './duplicate-key.ts';

it.each([
  ['{}', null],
  ['[{"a":1},{"a":2}]', null],
  ['{"a":{"a":{"a":1}},"b":["a","a",{"a":1}]}', null],
  ['{"a":"\\",\\"a\\":","b":"{}:[]"}', null],
  ['{"a":1,"a":2}', 'a'],
  ['{"x":[{"b":1, "c" : 2,"b" : 3}]}', 'b'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":2}', ''],
])('in %s is %j', (text, key) => {
  JSON.parse(text);
  expect(findDuplicateKey(text)).toBe(key);
});
