/** The project's mark, beside its name: that of `src/gateway/docs/assets/mark.svg`, in the colour of the theme. */
export function Mark() {
  return (
    <svg
      className="frame__mark"
      viewBox="0 0 24 24"
      width={22}
      height={22}
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M4 21V3h16v18" />
      <path d="M8.5 3v6.5h7V3" fill="currentColor" />
      <path d="M8 14.5c1.3-1.3 2.7-1.3 4 0s2.7 1.3 4 0M8 19.5c1.3-1.3 2.7-1.3 4 0s2.7 1.3 4 0" />
    </svg>
  );
}
