import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openForAll, openForEach } from './opened.ts';

describe('a value of a later suite', () => {
  it('is not open yet', () => {
    expect(() => Object.keys(later)).toThrow('this is opened by a hook, and no hook has run');
  });
});

describe('openForEach', () => {
  const resource = openForEach(() => new Resource(), 'close');
  later = resource;
  const { inner } = openForEach(async () => ({ inner: resource.inner }));
  afterEach(() => expect(resource.closes).toBe(0));

  it('opens a value before a test', () => {
    expect(resource.count()).toBe(1);
    expect(resource).toBeInstanceOf(Resource);
    expect({ ...inner }).toEqual({ number: opened.length });
    resource.name = 'first';
    expect(resource.name).toBe('first');
  });

  it('opens another one before the next test, when the first one is closed', () => {
    expect(opened.map(({ closes }) => closes)).toEqual([1, 0]);
    expect(resource.count()).toBe(1);
    expect(resource.name).toBe('');
    expect(inner.number).toBe(2);
  });
});

describe('openForAll', () => {
  const resource = openForAll(() => new Resource(), 'close');
  afterAll(() => expect(resource.closes).toBe(0));

  it('opens a value before the first test', () => {
    expect(resource.count()).toBe(1);
  });

  it('keeps it for the next one', () => {
    expect(resource.count()).toBe(2);
    expect(opened).toHaveLength(3);
  });
});

describe('openForEach after openForAll', () => {
  const resource = openForEach(() => new Resource(), 'close');

  it('has closed the value after the last test', () => {
    expect(opened.map(({ closes }) => closes)).toEqual([1, 1, 1, 0]);
    expect(resource.count()).toBe(1);
  });
});

const opened: Resource[] = [];
let later: Resource;

class Resource {
  name = '';
  closes = 0;
  readonly inner = { number: opened.length + 1 };
  #calls = 0;

  constructor() {
    opened.push(this);
  }

  count(): number {
    this.#calls++;
    return this.#calls;
  }

  close(): void {
    this.closes++;
  }
}
