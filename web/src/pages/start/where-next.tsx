import { Link } from '@tanstack/react-router';
import { useDocsUrl, useInstance } from '../../api/instance.ts';

const PAGES: readonly {
  readonly to:
    | '/playground'
    | '/routes'
    | '/explorer'
    | '/products'
    | '/makers'
    | '/controls'
    | '/organisations'
    | '/operate'
    | '/reference';
  readonly title: string;
  readonly text: string;
}[] = [
  {
    to: '/playground',
    title: 'Playground',
    text: 'Send a request to any endpoint from a form, and take it with you as curl, TypeScript or Python.',
  },
  {
    to: '/routes',
    title: 'Routes',
    text: 'See how a quote is split over venues, what it costs all in, and what each engine offers.',
  },
  {
    to: '/explorer',
    title: 'Explorer',
    text: 'Watch slots as they come, and read transactions, accounts, tokens and pools with their depth.',
  },
  {
    to: '/products',
    title: 'Products',
    text: 'Look at a portfolio, loans, prices, orders, launches, invites and predictions as pages.',
  },
  {
    to: '/makers',
    title: 'Makers',
    text: 'See books as ladders, fills, and why a maker lost; run the conformance check.',
  },
  {
    to: '/controls',
    title: 'Controls',
    text: 'Move prices and the clock of the embedded network, let things fail, save and restore it.',
  },
  {
    to: '/organisations',
    title: 'Organisations',
    text: 'Give keys to customers, limit what they open, and find their requests, orders and credits.',
  },
  {
    to: '/operate',
    title: 'Operate',
    text: 'See whether all is well, why an order failed, who changed what, and what a restart would change.',
  },
  {
    to: '/reference',
    title: 'API reference',
    text: 'Every endpoint with its parameters, answers and errors.',
  },
];

const QUICK_STARTS = [
  {
    role: 'integrator',
    title: 'You build an app or a wallet',
    text: 'Quote, sign and land swaps from code.',
  },
  { role: 'maker', title: 'You make a market', text: 'Quote by webhook or by streams, in Python.' },
  { role: 'operator', title: 'You run Sluice for others', text: 'Install, configure and watch it.' },
] as const;

/** Where to go after the first swap. */
export function WhereNext() {
  const docs = useDocsUrl();
  const { data: instance } = useInstance();
  const hasControls = instance?.network.kind === 'embedded' && !instance.production;
  const isAdmin = instance?.port === 'admin';
  const isShown = (to: string) =>
    to === '/controls' ? hasControls : (to !== '/organisations' && to !== '/operate') || isAdmin;
  return (
    <section className="where-next">
      <h2 className="start__heading">Where next</h2>
      <ul className="cards">
        {PAGES.filter(({ to }) => isShown(to)).map(({ to, title, text }) => (
          <li key={title} className="card">
            <h3 className="card__title">
              <Link to={to}>{title}</Link>
            </h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <h2 className="start__heading">Quick starts</h2>
      <ul className="cards">
        {QUICK_STARTS.map(({ role, title, text }) => (
          <li key={role} className="card">
            <h3 className="card__title">
              <a href={`${docs}/quickstart/${role}`}>{title}</a>
            </h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
