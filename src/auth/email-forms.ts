import { domainToUnicode } from 'node:url';
import { asciiEmail } from '#shared/account/email.ts';

/** Returns a stored address as people write it: jo@xn--mller-kva.de is jo@müller.de. */
export function shownEmail(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToUnicode(address.slice(at)) || address.slice(at));
}

/** Returns the forms in which an account's address may be stored: earlier versions kept the owner's as the environment has it. */
export function storedEmails(address: string): string[] {
  const ascii = asciiEmail(address).toLowerCase();
  return [...new Set([ascii, address.toLowerCase(), shownEmail(ascii)])];
}
