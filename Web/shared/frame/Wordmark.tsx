import { Link } from "../parts/Link";

/** The name and the sign of Stoa; it leads home. */
export function Wordmark() {
  return (
    <Link to="/" className="wordmark" aria-label="Stoa">
      <svg viewBox="0 0 64 64" aria-hidden="true" fill="currentColor">
        <path d="M8 26 32 12l24 14v4H8z" /><path d="M14 34h7v16h-7zM28.500 34h7v16h-7zM43 34h7v16h-7zM8 54h48v4H8z" />
      </svg>
      <span className="wordmark-text">Stoa</span>
    </Link>
  );
}
