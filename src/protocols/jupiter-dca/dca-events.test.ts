import { describe, expect, it } from 'vitest';
import { decodeDcaEvent } from './dca-events.ts';

// The tests of the program decode each event that it emits.

describe('decodeDcaEvent', () => {
  it('reads a deposit', () => {
    const order = Buffer.alloc(32, 1);
    const event = Buffer.concat([DEPOSIT, order, Buffer.from('0a00000000000000', 'hex')]);
    expect(decodeDcaEvent(event)).toMatchObject({ kind: 'deposited', amount: 10n });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an instruction', Buffer.from('16072162a8b722f3', 'hex')],
    ['an event of the log, which has no marker', Buffer.concat([Buffer.alloc(8), Buffer.alloc(192)])],
    ['an event that it does not know', Buffer.concat([createMarker(), Buffer.alloc(192)])],
  ])('takes %s for no event', (_, data) => {
    expect(decodeDcaEvent(data)).toBeNull();
  });

  it.each([
    ['Opened', 'a6ac61094d4cbd6d', 160],
    ['Closed', '321f579b87dcc3ef', 185],
    ['Filled', '8604113fdd2db1ad', 184],
    ['CollectedFee', '2a88d874b5d16db5', 104],
    ['Withdraw', 'c0f1c9d946965af7', 49],
    ['Deposit', '3ecdf2aff4a98834', 40],
  ])('reads %s with all of its fields, and nothing shorter', (_, tag, size) => {
    const data = Buffer.concat([createMarker(), Buffer.from(tag, 'hex'), Buffer.alloc(size)]);
    expect(decodeDcaEvent(data)).not.toBeNull();
    expect(decodeDcaEvent(data.subarray(0, -1))).toBeNull();
  });
});

const DEPOSIT = Buffer.from('e445a52e51cb9a1d3ecdf2aff4a98834', 'hex');
/** Returns the marker of calls to itself. It is a function, because the tables above are read before this line. */
function createMarker(): Buffer {
  return Buffer.from('e445a52e51cb9a1d', 'hex');
}
