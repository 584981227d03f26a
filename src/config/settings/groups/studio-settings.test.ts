import { describe, expect, it } from 'vitest';
import { STUDIO_SETTINGS, toStudioConfig } from './studio-settings.ts';

describe('toStudioConfig', () => {
  it('leaves the partner and the address to the service by default', () => {
    const settings = { 'studio-partner': '', 'studio-url': '', 'studio-media-mib': 1_024 };
    expect(toStudioConfig(settings, '/')).toMatchObject({ partner: null, url: null });
  });

  it('takes an address without what a launched token would have to name for good', () => {
    const settings = {
      'studio-partner': '',
      'studio-url': 'https://Launch.example:443/',
      'studio-media-mib': 1_024,
    };
    expect(toStudioConfig(settings, '/').url).toBe('https://launch.example');
  });

  it.each([
    ['', true],
    ['http://127.0.0.1:8787', true],
    [`https://${'a'.repeat(40)}.example`, true],
    [`https://${'a'.repeat(41)}.example`, false],
    ['https://launch.example/studio', false],
    ['https://launch.example/?a=b', false],
    ['https://me:secret@launch.example', false],
    ['ftp://launch.example', false],
    ['launch.example', false],
  ])('says whether %j can be one: %s', (url, isAccepted) => {
    expect(STUDIO_SETTINGS['studio-url'].accepts?.(url)).toBe(isAccepted);
  });
});
