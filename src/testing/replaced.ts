/** Returns the object with some of its members replaced. The others work on the object itself. */
export function replaced<T extends object>(object: T, others: Partial<T>): T {
  return new Proxy(object, {
    get: (target, name) => {
      if (name in others) return others[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
