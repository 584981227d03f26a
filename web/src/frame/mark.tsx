import markUrl from '../../../src/gateway/docs/assets/mark.svg';

/** The project's mark, beside its name. */
export function Mark() {
  return <img className="frame__mark" src={markUrl} alt="" width={22} height={22} />;
}
