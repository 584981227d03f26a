import { afterEach, beforeEach, expect, it } from 'vitest';
import { type GivenSettings, SettingsFolder } from '../../testing/settings-folder.ts';
import { findExposureContradictions } from './exposure.ts';

let folder: SettingsFolder;
beforeEach(() => {
  folder = new SettingsFolder();
});
afterEach(() => folder.remove());

it.each([['host'], ['grpc-host'], ['admin-host']])(
  'an instance whose %s is beyond this machine is refused until production is given, as true or false',
  (name) => {
    for (const host of ['0.0.0.0', '::', '10.0.0.5']) {
      expect(contradictions({ flags: { [name]: [host] } })).toEqual([
        expect.stringMatching(
          new RegExp(
            `^${name} from flag --${name} is "${host}", but .* requires production, because .*demo organisation`,
          ),
        ),
      ]);
      expect(contradictions({ flags: { [name]: [host], production: ['true'] } })).toEqual([]);
      expect(contradictions({ flags: { [name]: [host], production: ['false'] } })).toEqual([]);
      expect(
        contradictions({ flags: { [name]: [host] }, environment: { SLUICE_PRODUCTION: 'false' } }),
      ).toEqual([]);
    }
  },
);

it('a demo on loopback needs nothing', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1'])
    expect(contradictions({ flags: { host: [host] } })).toEqual([]);
});

it('a landing port beyond this machine is refused like the other ports', () => {
  for (const given of ['0.0.0.0:8789', '[::]:0']) {
    expect(contradictions({ flags: { 'landing-address': [given] } })).toEqual([
      expect.stringMatching(/^landing-address from flag --landing-address is .* requires production/),
    ]);
  }
  for (const given of ['127.0.0.1:8789', '[::1]:0'])
    expect(contradictions({ flags: { 'landing-address': [given] } })).toEqual([]);
});

const CREDENTIAL = 'c'.repeat(32);
const contradictions = (given: GivenSettings) => {
  const flags = { 'admin-credential': [CREDENTIAL], 'grpc-plaintext': ['true'], ...given.flags };
  const { settings, sources } = folder.load({ ...given, flags });
  return findExposureContradictions(settings, sources);
};
