import { describe, expect, it } from 'vitest';
import { findImageType, findHeaderFault } from './image-type.ts';

describe('findImageType', () => {
  it.each([
    ['image/png', '89504e470d0a1a0a0000'],
    ['image/jpeg', 'ffd8ffe0'],
    ['image/gif', '474946383961'],
    ['image/gif', '474946383761'],
    ['image/webp', '524946460000000057454250'],
  ])('knows %s by its first bytes', (type, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(findImageType(bytes)).toBe(type);
    expect(findHeaderFault(bytes)).toBeNull();
  });

  it.each([
    '',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '<!doctype html><script>alert(1)</script>',
    '%PDF-1.7',
    'GIF88a',
    'RIFF0000WAVE',
    ' GIF89a',
    'BM',
  ])('knows no image in %j', (text) => {
    expect(findImageType(Buffer.from(text))).toBeNull();
    expect(findHeaderFault(Buffer.from(text))).toMatch(/^must be an image of the type image\/jpeg/);
  });

  it('finds a header image too large', () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024 + 1);
    expect(findHeaderFault(bytes)).toBe('must have at most 5242880 bytes, got 5242881');
  });
});
