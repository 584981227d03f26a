import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** The names of the methods that take nothing, one of which closes a value. */
type Closing<T> = { [Name in keyof T]: T[Name] extends () => unknown ? Name : never }[keyof T];

/** The hooks that open and close a value. */
interface Opening<T> {
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** Stands for the value that was opened last. */
  readonly value: T;
}

/**
 * Opens a value before each test of the file or suite that calls this, and closes it after the test.
 *
 * @param close - The method that closes the value. It is not called if the value could not be opened.
 * @returns Stands for the value of the current test: its members are those of the value. It can be taken apart into
 *   members that are objects, which then stand for those of the current test.
 * @example
 * ```ts
 * import { TestNetwork } from './svm/network.ts';
 * import { openForEach } from './opened.ts';
 *
 * const network = openForEach(() => new TestNetwork(['saber']));
 * ```
 */
export function openForEach<T extends object>(open: () => T | Promise<T>, close?: Closing<T>): T {
  const opening = createOpening(open, close);
  beforeEach(opening.open);
  if (close !== undefined) afterEach(opening.close);
  return opening.value;
}

/** Does the same as {@link openForEach} once, before the first test and after the last one. */
export function openForAll<T extends object>(open: () => T | Promise<T>, close?: Closing<T>): T {
  const opening = createOpening(open, close);
  beforeAll(opening.open);
  if (close !== undefined) afterAll(opening.close);
  return opening.value;
}

function createOpening<T extends object>(
  open: () => T | Promise<T>,
  close: Closing<T> | undefined,
): Opening<T> {
  let current: T | null = null;
  let isOpen = false;
  return {
    open: async () => {
      current = await open();
      isOpen = true;
    },
    close: async () => {
      if (current === null || close === undefined || !isOpen) return;
      isOpen = false;
      await (current[close] as () => unknown)();
    },
    value: standFor(() => current),
  };
}

/**
 * Returns an object whose members are those of the value at the time when they are read. As long as there is no value, its
 * members stand for those of the later one.
 */
function standFor<T extends object>(find: () => T | null): T {
  const get = (): T => {
    const value = find();
    if (value === null) throw new Error('this is opened by a hook, and no hook has run');
    return value;
  };
  return new Proxy({} as T, {
    get: (_, key) => {
      const value = find();
      if (value === null) return standFor(() => Reflect.get(find() ?? {}, key) ?? null);
      const member: unknown = Reflect.get(value, key, value);
      // A method of a class may use private members, which only the value itself has.
      const isMethod = typeof member === 'function' && key !== 'constructor' && !Object.hasOwn(value, key);
      return isMethod ? member.bind(value) : member;
    },
    set: (_, key, member) => Reflect.set(get(), key, member),
    has: (_, key) => Reflect.has(get(), key),
    deleteProperty: (_, key) => Reflect.deleteProperty(get(), key),
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(get(), key),
    defineProperty: (_, key, descriptor) => Reflect.defineProperty(get(), key, descriptor),
    getPrototypeOf: () => Reflect.getPrototypeOf(get()),
  });
}
