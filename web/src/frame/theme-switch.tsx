/** Switches between light and dark: the script of the documentation, which the page loads too, does it at a press. */
export function ThemeSwitch() {
  const name = 'Switch between light and dark';
  return (
    <button type="button" className="frame__theme" data-switch-theme="" title={name} aria-label={name}>
      <svg
        viewBox="0 0 20 20"
        width={20}
        height={20}
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.6}
        strokeLinecap="round"
      >
        <path
          className="frame__moon"
          d="M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z"
          strokeLinejoin="round"
        />
        <g className="frame__sun">
          <circle cx={10} cy={10} r={3.4} />
          <path d="M10 1.8v2M10 16.2v2M1.8 10h2M16.2 10h2M4.2 4.2l1.4 1.4M14.4 14.4l1.4 1.4M4.2 15.8l1.4-1.4M14.4 5.6l1.4-1.4" />
        </g>
      </svg>
    </button>
  );
}
