import { expect, it } from 'vitest';
import { toWayBack } from './way-back.ts';

it.each([
  ['/operate', '/portal/operate'],
  ['/organisations/acme/log?range=1h&status=4xx', '/portal/organisations/acme/log?range=1h&status=4xx'],
  ['/', '/portal/'],
  ['/../../admin/v1/organisations', '/portal/admin/v1/organisations'],
])('toWayBack(%j) is a path of the portal', (next, expected) => {
  expect(toWayBack(next)).toBe(expected);
});

it.each([
  undefined,
  '',
  'operate',
  'https://attacker.example/',
  '//attacker.example/',
  '/\\attacker.example/',
  '\\\\attacker.example',
  '/a\\b',
  '/\t/attacker.example',
  ' //attacker.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/sign-in?next=/sign-in',
  '/invitation',
  '/näher',
])('toWayBack(%j) is none', (next) => {
  expect(toWayBack(next)).toBeNull();
});
