/** Stores a preference of this browser for a year; '' deletes it. Nothing secret belongs here. */
export function writeCookie(name: string, value: string): void {
  const age = value === '' ? 0 : 365 * 24 * 3600;
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${age}; samesite=lax`;
}
