import ipaddr from 'ipaddr.js';
import { KontorError } from '#platform/errors.ts';

/** Ports of http and https addresses. */
export const allowedPorts = new Set(['', '80', '443']);
/** Servers that take files or mail; other ports would make this a scanner of other people's networks. */
export const serverPorts = {
  upload: new Set([21, 22, 990, 2021, 2022, 2121, 2222, 8021, 8022, 10_021, 10_022]),
  mail: new Set([25, 465, 587, 2525]),
} as const;
/** The Azure platform address answers metadata questions although it looks public. */
const metadataAddresses = new Set(['168.63.129.16']);
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** One German text for every address that is not to be reached, so that answers tell nothing about inner networks (T3). */
export const refused = (cause?: unknown) =>
  new KontorError(
    422,
    'address_refused',
    'Diese Adresse ist nicht erlaubt oder nicht erreichbar. Erlaubt sind öffentliche http- und https-Adressen.',
    { cause },
  );

/**
 * Why a place is not connected to. A port and an address are judged by themselves; a name that nobody knows and one of an inner
 * network are the same, so that nobody learns which inner names there are (T3).
 */
export class PlaceRefused extends Error {
  readonly reason: 'port' | 'address' | 'name';

  constructor(reason: PlaceRefused['reason'], cause?: unknown) {
    super(`the ${reason} is refused`, { cause });
    this.reason = reason;
  }
}

/** Whether an address is one of the open internet; `allowLoopback`: or of this machine. */
export function allowedAddress(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (allowLoopback && parsed.range() === 'loopback') return true;
  return parsed.range() === 'unicast' && inGlobalUse(parsed) && !metadataAddresses.has(parsed.toString());
}

/** Of the sixth version only 2000::/3 is given out; what lies beside it may lead to inner addresses of the fourth, like `::127.0.0.1`. */
function inGlobalUse(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return !('parts' in address) || address.match(globalUnicast);
}

/** Whether secrets may be sent to an address: encrypted, or to this machine itself, and without a name that poses as a host. */
export function isSecureAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname));
}
