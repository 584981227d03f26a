import { Link } from '@tanstack/react-router';
import type { InstanceInfo } from '../../api/instance.ts';

/** The products that this instance serves, each with the way into its reference. */
export function Products({ instance }: { readonly instance: InstanceInfo }) {
  return (
    <section>
      <h2 className="start__heading">Products of this instance</h2>
      <ul className="products__list">
        {instance.products.map(({ name, description, basePath }) => (
          <li key={name} className="products__item">
            <h3 className="products__name">
              <Link to="/reference" search={{ q: basePath }}>
                {name}
              </Link>
              <code>{basePath}</code>
            </h3>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
