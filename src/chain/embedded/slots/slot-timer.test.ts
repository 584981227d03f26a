import { describe, expect, it } from 'vitest';
import { driveSlots } from './slot-timer.ts';

describe('driveSlots', () => {
  it('ends a slot at every interval, without drifting when it is called late', () => {
    const timer = testTimer();
    const bank = counting();
    driveSlots(bank, 400, timer);
    for (const time of [399, 400, 830, 1_199, 1_200, 1_650]) timer.moveTo(time);
    expect(bank.slots).toBe(4);
    timer.moveTo(1_999);
    expect(bank.slots).toBe(4);
    timer.moveTo(2_000);
    expect(bank.slots).toBe(5);
  });

  it('does not catch up after a pause', () => {
    const timer = testTimer();
    const bank = counting();
    driveSlots(bank, 400, timer);
    timer.moveTo(3_600_000);
    timer.moveTo(3_600_399);
    expect(bank.slots).toBe(1);
    timer.moveTo(3_600_400);
    expect(bank.slots).toBe(2);
  });

  it('continues when a slot fails, and can be stopped', () => {
    const timer = testTimer();
    let attempts = 0;
    const stop = driveSlots(
      { advanceSlot: () => Promise.reject(new Error(`attempt ${attempts++}`)) },
      400,
      timer,
    );
    timer.moveTo(400);
    timer.moveTo(800);
    stop();
    timer.moveTo(1_200);
    expect(attempts).toBe(2);
  });
});

/** A timer that only the test advances. */
function testTimer() {
  let now = 0;
  let waiting: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    after(delay: number, callback: () => void) {
      const entry = { at: now + delay, callback };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    /** Advances to `time`. Callbacks that are due before are called late. */
    moveTo(time: number) {
      now = time;
      const due = waiting.filter(({ at }) => at <= time);
      waiting = waiting.filter(({ at }) => at > time);
      for (const { callback } of due) callback();
    },
  };
}

function counting() {
  const bank = {
    slots: 0,
    async advanceSlot() {
      bank.slots++;
    },
  };
  return bank;
}
