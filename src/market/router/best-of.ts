import type { Route } from './plan.ts';

/** The routes of several searches, each of which gives its best first: at every step the one that pays most of the next. */
export function* bestOf(searches: readonly Iterable<Route>[]): Iterable<Route> {
  const next = searches.map((routes) => {
    const iterator = routes[Symbol.iterator]();
    return { iterator, head: iterator.next() };
  });
  for (;;) {
    let best: { readonly from: (typeof next)[number]; readonly route: Route } | null = null;
    for (const from of next) {
      if (from.head.done === true) continue;
      const route = from.head.value;
      if (best === null || route.outAmount > best.route.outAmount) best = { from, route };
    }
    if (best === null) return;
    // Only when another is asked for: the further ones take more work than the first.
    yield best.route;
    best.from.head = best.from.iterator.next();
  }
}
