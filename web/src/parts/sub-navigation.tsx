import './sub-navigation.css';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';

/** A page below another one, as the navigation inside a section shows it. */
export interface SubPage {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  /** Whether it is the current one on its own path only, not on those below it. Default: false. */
  readonly exact?: boolean;
  /** The beginning of other paths that belong to it, such as those of what it lists. */
  readonly others?: string;
}

/** The pages of a section, of which the current one is marked. */
export function SubNavigation({
  label,
  pages,
  parameters,
}: {
  readonly label: string;
  readonly pages: readonly SubPage[];
  /** The values of the parameters in the paths. Default: there are none. */
  readonly parameters?: Readonly<Record<string, string>>;
}) {
  const { pathname } = useLocation();
  return (
    <nav className="sub-navigation" aria-label={label}>
      <ul>
        {pages.map(({ to, label: name, exact = false, others }) => (
          <li key={to}>
            <Link
              to={to}
              {...(parameters === undefined ? {} : { params: parameters as never })}
              activeOptions={{ exact, includeSearch: false }}
              {...(others !== undefined && pathname.startsWith(others) ? { 'aria-current': true } : {})}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
