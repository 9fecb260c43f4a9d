/** The value of one cookie in a `Cookie` header or `document.cookie`; '' if it is not there. */
export function readCookie(cookies: string, name: string): string {
  const found = cookies.split('; ').find((entry) => entry.startsWith(`${name}=`));
  return found === undefined ? '' : decodeURIComponent(found.slice(name.length + 1));
}

/** Keeps a preference of this browser for a year; '' forgets it. Nothing secret belongs here. */
export function writeCookie(name: string, value: string): void {
  const age = value === '' ? 0 : 365 * 24 * 3600;
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${age}; samesite=lax`;
}
