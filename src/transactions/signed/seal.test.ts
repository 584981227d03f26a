import { describe, expect, it } from 'vitest';
import { type HandedOutMessage, openMessageSeal, sealMessage, sealMessages } from './seal.ts';

const KEY = new Uint8Array(32).fill(7);
const message = (byte: number, lastValidBlockHeight = 100n): HandedOutMessage => ({
  messageBytes: new Uint8Array([byte, 1, 2, 3]),
  lastValidBlockHeight,
});

describe('a request id for several messages', () => {
  const messages = [message(1, 100n), message(2, 300n), message(3, 200n)];
  const id = sealMessages(KEY, 'limit-order', messages);

  it('vouches for each of them, and for no other', () => {
    for (const { messageBytes } of messages) {
      expect(openMessageSeal(KEY, 'limit-order', id, messageBytes)).toBe(300n);
    }
    expect(openMessageSeal(KEY, 'limit-order', id, message(4).messageBytes)).toBeNull();
  });

  it('is worth nothing for another purpose, with another key, or when it was changed', () => {
    const [{ messageBytes }] = messages as [HandedOutMessage];
    expect(openMessageSeal(KEY, 'transfer', id, messageBytes)).toBeNull();
    expect(openMessageSeal(new Uint8Array(32), 'limit-order', id, messageBytes)).toBeNull();
    const bytes = Buffer.from(id, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const text = changed.toString('base64url');
      expect(openMessageSeal(KEY, 'limit-order', text, messageBytes), `byte ${at}`).toBeNull();
    }
  });

  it('is that of the message itself if there is one', () => {
    expect(sealMessages(KEY, 'limit-order', [message(1)])).toBe(sealMessage(KEY, 'limit-order', message(1)));
  });

  it('is not made for none, or for too many', () => {
    const many = Array.from({ length: 17 }, (_, index) => message(index));
    for (const count of [[], many]) {
      expect(() => sealMessages(KEY, 'limit-order', count)).toThrow(RangeError);
    }
  });
});
