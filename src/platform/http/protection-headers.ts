import type { FastifyRequest } from 'fastify';

/** Browser features that none of our pages uses. */
const unused = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'microphone',
  'midi',
  'payment',
  'usb',
];
const permissions = unused.map((feature) => `${feature}=()`).join(', ');
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Returns the headers of every response, pages and files alike: no content sniffing, no framing, opening or embedding by other
 * sites, and no caching unless a route says otherwise. HSTS is sent over https only: a machine in a local network may have no
 * https.
 */
export function protectionHeaders(request: FastifyRequest): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissions,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Pages and the API document set their own policy; any other response must not run anything if a browser shows it as a page.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    ...(request.url.startsWith('/assets/') ? {} : { 'cache-control': 'no-store' }),
    ...(request.protocol === 'https' ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}
