import type { FastifyRequest } from 'fastify';

/** What no page of ours uses. */
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
 * What every answer says to browsers, pages and files alike: take it for what it says it is, let no other site frame, open or embed it,
 * and keep nothing unless a route says otherwise. Only https is remembered: a machine in a local network may have none.
 */
export function protectionHeaders(request: FastifyRequest): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissions,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Pages and the API's document say their own; of everything else nothing runs, should a browser ever show it as a page.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    ...(request.url.startsWith('/assets/') ? {} : { 'cache-control': 'no-store' }),
    ...(request.protocol === 'https' ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}
