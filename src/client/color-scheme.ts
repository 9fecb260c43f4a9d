import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { readCookie } from '#shared/http/cookies.ts';
import { writeCookie } from './cookies.ts';

const cookieName = 'kontor_farbe';

/** Returns the colour scheme chosen in the visitor's cookies; null follows the system. */
export function colorSchemeOf(cookies: string): 'light' | 'dark' | null {
  const value = readCookie(cookies, cookieName);
  return value === 'light' || value === 'dark' ? value : null;
}

/** Keeps light or dark in a cookie, so that the server already renders the right one and nothing flashes. */
export const cookieColorScheme: MantineColorSchemeManager = {
  get: (fallback) => (typeof document === 'undefined' ? fallback : (colorSchemeOf(document.cookie) ?? fallback)),
  set: (value: MantineColorScheme) => writeCookie(cookieName, value === 'auto' ? '' : value),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => writeCookie(cookieName, ''),
};

/** Runs before the first paint if no cookie decides: light or dark, as the system prefers. */
export const followSystemScript =
  "document.documentElement.dataset.mantineColorScheme=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'";
