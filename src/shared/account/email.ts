import { z } from 'zod';

/** Returns an address with its domain as mail servers know it: jo@müller.de is jo@xn--mller-kva.de. */
export function asciiEmail(address: string): string {
  const [, local = '', domain = ''] = /^(.*@)([^@]*)$/s.exec(address) ?? [];
  // A mark that ends the host name in an address of a page is no part of a domain.
  if (!/[^\0-\x7f]/.test(domain) || /[\s/:?#%\\[\]]/.test(domain)) return address;
  return local + (URL.parse(`http://${domain}`)?.hostname ?? domain);
}

const isEmail = (address: string): boolean => z.email().safeParse(asciiEmail(address)).success;

/** An e-mail address as typed. */
export const typedEmail = (message: string) => z.string().max(254).refine(isEmail, message);

/** The e-mail address of an account: equal ones are equal texts, however they are typed. */
export const accountEmail = (message: string) =>
  z.string().overwrite(asciiEmail).max(254).pipe(z.email(message).max(254));
